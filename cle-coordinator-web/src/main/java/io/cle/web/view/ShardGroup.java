package io.cle.web.view;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.Holding;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;

/**
 * A lease that is led in shards, as a coordinator observes its Leases. Immutable.
 *
 * @param group the group with the number of shards in force; before the first Lease exists, with the number that most candidates ask for
 * @param shards the known Leases of this number, by the index of the shard
 * @param waiting the other numbers that candidates ask for, each with how many do
 * @param shardsByLeader how many shards each process leads, including candidates that lead none
 * @param moving how many shards are being handed over to another candidate
 */
public record ShardGroup(
        LeaseGroup group,
        SortedMap<Integer, ElectionView> shards,
        SortedMap<Integer, Integer> waiting,
        SortedMap<String, Integer> shardsByLeader,
        int moving) {

    /**
     * The number in force has holders, or else Leases that aren't retired, because a coordinator retires the Leases of a number before it
     * creates those of another one.
     */
    private static final Comparator<SortedMap<Integer, ElectionView>> IN_FORCE =
            Comparator.<SortedMap<Integer, ElectionView>>comparingLong(shards -> count(
                            shards, view -> view.lease() != null && view.lease().held()))
                    .thenComparing(shards -> count(shards, view -> view.lease() != null && !view.retired()))
                    .thenComparing(shards -> candidates(shards.values()).size());

    private static long count(SortedMap<Integer, ElectionView> shards, Predicate<ElectionView> which) {
        return shards.values().stream().filter(which).count();
    }

    /** Returns the groups to which some leases belong, ordered by namespace and name. */
    public static List<ShardGroup> allOf(List<ElectionView> leases, Instant now) {
        SortedMap<ObjectKey, SortedMap<LeaseGroup, SortedMap<Integer, ElectionView>>> known = new TreeMap<>();
        for (ElectionView lease : leases) {
            LeaseGroup group = lease.group();
            if (group != null) {
                group.indexOf(lease.key())
                        .ifPresent(shard -> known.computeIfAbsent(group.key(), unused -> new TreeMap<>())
                                .computeIfAbsent(group, unused -> new TreeMap<>())
                                .put(shard, lease));
            }
        }
        return known.values().stream().map(numbers -> of(numbers, now)).toList();
    }

    private static ShardGroup of(SortedMap<LeaseGroup, SortedMap<Integer, ElectionView>> numbers, Instant now) {
        LeaseGroup inForce = numbers.entrySet().stream()
                .max(Map.Entry.comparingByValue(IN_FORCE))
                .orElseThrow()
                .getKey();
        SortedMap<Integer, Integer> waiting = new TreeMap<>();
        numbers.forEach((group, shards) -> {
            int candidates = candidates(shards.values()).size();
            if (!group.equals(inForce) && candidates > 0) {
                waiting.put(group.shards(), candidates);
            }
        });
        SortedMap<Integer, ElectionView> shards = numbers.getOrDefault(inForce, new TreeMap<>());
        SortedMap<String, Integer> led = new TreeMap<>();
        candidates(shards.values()).forEach(candidate -> led.put(candidate, 0));
        int moving = 0;
        for (ElectionView shard : shards.values()) {
            Lease lease = shard.lease();
            if (lease != null && lease.holder() != null && shard.holdingAt(now) == Holding.LEADS) {
                led.merge(lease.holder(), 1, Integer::sum);
                moving += lease.endOfTerm() ? 1 : 0;
            }
        }
        return new ShardGroup(inForce, shards, waiting, led, moving);
    }

    private static Set<String> candidates(Collection<ElectionView> shards) {
        Set<String> identities = new HashSet<>();
        shards.forEach(shard -> shard.candidates().stream()
                .map(Standing::candidate)
                .filter(candidate -> candidate.group() != null)
                .forEach(candidate -> identities.add(candidate.identity())));
        return identities;
    }

    /** Returns the Lease that is named like the group. */
    public ObjectKey key() {
        return group.key();
    }

    /** Returns whether there is any candidate for the shards. */
    public boolean hasCandidates() {
        return shards.values().stream().anyMatch(shard -> !shard.candidates().isEmpty());
    }

    /** Returns how many shards a process leads. */
    public int led() {
        return shardsByLeader.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how many shards no process leads. */
    public int withoutLeader() {
        return group.shards() - led();
    }

    /** Returns how often another process than before has begun to lead a shard, as far as this replica of the coordinator has seen. */
    public int moves() {
        return shards.values().stream().mapToInt(ElectionView::moves).sum();
    }

    /** Returns by how much the candidates' numbers of shards differ; 0 if some shards have a strategy that doesn't spread them. */
    public int imbalance() {
        if (!strategies().isEmpty() || shardsByLeader.isEmpty()) {
            return 0;
        }
        return Collections.max(shardsByLeader.values()) - Collections.min(shardsByLeader.values());
    }

    /** Returns how many shards each strategy decides that doesn't spread them, with who has asked for it. */
    SortedMap<String, Integer> strategies() {
        Map<String, Integer> strategies = new HashMap<>();
        shards.values().stream()
                .filter(shard -> !shard.candidates().isEmpty() && !isSpread(shard))
                .forEach(shard -> strategies.merge(
                        shard.strategy().name() + " ("
                                + shard.strategy().source().text() + ")",
                        1,
                        Integer::sum));
        return new TreeMap<>(strategies);
    }

    private static boolean isSpread(ElectionView shard) {
        ElectionStrategy strategy = shard.strategy().strategy();
        return strategy != null && strategy.wireName().equals(BuiltInStrategy.BALANCED.wireName());
    }
}
