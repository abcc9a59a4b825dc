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
 * A group of leases, as a coordinator observes it: the shards of one lease, or leases with names of their own. Immutable.
 *
 * @param group the group. If it has shards, with their effective number; before the first Lease exists, with the number that most candidates request
 * @param leases the known Leases: those of this number by the index of the shard, or those with names of their own by their place in the order
 *     of their names
 * @param waiting the other numbers that candidates ask for, each with how many do
 * @param leasesByLeader how many of the leases each process leads, including candidates that lead none
 * @param moving how many of the leases are being handed over to another candidate
 */
public record GroupView(
        LeaseGroup group,
        SortedMap<Integer, ElectionView> leases,
        SortedMap<Integer, Integer> waiting,
        SortedMap<String, Integer> leasesByLeader,
        int moving) {

    /**
     * The effective number has holders, or else Leases that aren't retired, because a coordinator retires the Leases of a number before it creates
     * those of another one.
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
    public static List<GroupView> allOf(List<ElectionView> leases, Instant now) {
        SortedMap<LeaseGroup, SortedMap<LeaseGroup, SortedMap<Integer, ElectionView>>> known =
                new TreeMap<>(Comparator.comparing(LeaseGroup::key).thenComparing(LeaseGroup::isSharded));
        leases.stream().sorted(Comparator.comparing(ElectionView::key)).forEach(lease -> {
            LeaseGroup group = lease.group();
            if (group != null) {
                SortedMap<Integer, ElectionView> members = known.computeIfAbsent(group, unused -> new TreeMap<>())
                        .computeIfAbsent(group, unused -> new TreeMap<>());
                members.put(lease.shard().orElse(members.size()), lease);
            }
        });
        return known.values().stream().map(numbers -> of(numbers, now)).toList();
    }

    private static GroupView of(SortedMap<LeaseGroup, SortedMap<Integer, ElectionView>> numbers, Instant now) {
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
        SortedMap<Integer, ElectionView> leases = numbers.getOrDefault(inForce, new TreeMap<>());
        SortedMap<String, Integer> led = new TreeMap<>();
        candidates(leases.values()).forEach(candidate -> led.put(candidate, 0));
        int moving = 0;
        for (ElectionView view : leases.values()) {
            Lease lease = view.lease();
            if (lease != null && lease.holder() != null && view.holdingAt(now) == Holding.LEADS) {
                led.merge(lease.holder(), 1, Integer::sum);
                moving += lease.endOfTerm() ? 1 : 0;
            }
        }
        return new GroupView(inForce, leases, waiting, led, moving);
    }

    private static Set<String> candidates(Collection<ElectionView> leases) {
        Set<String> identities = new HashSet<>();
        leases.forEach(lease -> lease.candidates().stream()
                .map(Standing::candidate)
                .filter(candidate -> candidate.group() != null)
                .forEach(candidate -> identities.add(candidate.identity())));
        return identities;
    }

    /** Returns the Lease that is named like the group. */
    public ObjectKey key() {
        return group.key();
    }

    /** Returns whether there is any candidate for the leases. */
    public boolean hasCandidates() {
        return leases.values().stream().anyMatch(lease -> !lease.candidates().isEmpty());
    }

    /** Returns how many of the leases a process leads. */
    public int led() {
        return leasesByLeader.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how many leases there are: all shards, or the known leases with names of their own. */
    public int size() {
        return group.isSharded() ? group.shards() : leases.size();
    }

    /** Returns how many of the leases no process leads. */
    public int withoutLeader() {
        return size() - led();
    }

    /** Returns by how much the candidates' numbers of leases differ; 0 if some leases have a strategy that doesn't spread them. */
    public int imbalance() {
        if (!strategies().isEmpty() || leasesByLeader.isEmpty()) {
            return 0;
        }
        return Collections.max(leasesByLeader.values()) - Collections.min(leasesByLeader.values());
    }

    /** Returns how many of the leases each strategy decides that doesn't spread them, with who has asked for it. */
    SortedMap<String, Integer> strategies() {
        Map<String, Integer> strategies = new HashMap<>();
        leases.values().stream()
                .filter(lease -> !lease.candidates().isEmpty() && !isSpread(lease))
                .forEach(lease -> strategies.merge(
                        lease.strategy().name() + " ("
                                + lease.strategy().source().text() + ")",
                        1,
                        Integer::sum));
        return new TreeMap<>(strategies);
    }

    private static boolean isSpread(ElectionView lease) {
        ElectionStrategy strategy = lease.strategy().strategy();
        return strategy != null && strategy.wireName().equals(BuiltInStrategy.BALANCED.wireName());
    }
}
