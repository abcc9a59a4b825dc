package io.cle.web.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/**
 * A group of leases, as a coordinator observes it: the shards of one lease, or leases with names of their own. Immutable.
 *
 * @param group the group. If it has shards, with their effective number; before the first Lease exists, with the number that most candidates request
 * @param leases the known Leases: those of this number, or those with names of their own
 * @param waiting the number of candidates that request each other number of shards
 * @param leasesByLeader how many of the leases each process leads, including candidates that lead none
 * @param moving how many of the leases are being handed over to another candidate
 */
public record GroupView(
        LeaseGroup group,
        List<ElectionView> leases,
        SortedMap<Integer, Integer> waiting,
        SortedMap<String, Integer> leasesByLeader,
        int moving) {

    /**
     * Orders the effective number last: it has holders, or else Leases that aren't retired, because a coordinator retires the Leases of a
     * number before it creates those of another one.
     */
    private static final Comparator<List<ElectionView>> EFFECTIVE = Comparator.<List<ElectionView>>comparingLong(
                    shards -> count(shards, lease -> lease.held()))
            .thenComparing(shards -> count(shards, lease -> !lease.retired()))
            .thenComparing(shards -> candidates(shards).size());

    private static long count(List<ElectionView> shards, Predicate<Lease> which) {
        return shards.stream()
                .map(ElectionView::lease)
                .filter(Objects::nonNull)
                .filter(which)
                .count();
    }

    /**
     * Returns the groups to which some leases belong, ordered by namespace and name; without those whose leases are all retired, because
     * the lease without shards is led instead.
     */
    public static List<GroupView> allOf(List<ElectionView> leases, Instant now) {
        // The numbers of shards that one lease has or had, each with its Leases.
        SortedMap<LeaseGroup, SortedMap<LeaseGroup, List<ElectionView>>> known =
                new TreeMap<>(Comparator.comparing(LeaseGroup::key).thenComparing(LeaseGroup::isSharded));
        leases.forEach(lease -> {
            LeaseGroup group = lease.group();
            if (group != null) {
                known.computeIfAbsent(group, unused -> new TreeMap<>())
                        .computeIfAbsent(group, unused -> new ArrayList<>())
                        .add(lease);
            }
        });
        return known.values().stream()
                .map(numbers -> of(numbers, now))
                .filter(group -> !group.leases().stream().allMatch(ElectionView::retired))
                .toList();
    }

    private static GroupView of(SortedMap<LeaseGroup, List<ElectionView>> numbers, Instant now) {
        Map.Entry<LeaseGroup, List<ElectionView>> effective = numbers.entrySet().stream()
                .max(Map.Entry.comparingByValue(EFFECTIVE))
                .orElseThrow();
        SortedMap<Integer, Integer> waiting = new TreeMap<>();
        numbers.forEach((group, shards) -> {
            int candidates = candidates(shards).size();
            if (!group.equals(effective.getKey()) && candidates > 0) {
                waiting.put(group.shards(), candidates);
            }
        });
        SortedMap<String, Integer> led = new TreeMap<>();
        candidates(effective.getValue()).forEach(candidate -> led.put(candidate, 0));
        int moving = 0;
        for (ElectionView view : effective.getValue()) {
            Lease lease = view.lease();
            if (lease != null && lease.holder() != null && view.holdingAt(now) == Holding.LEADS) {
                led.merge(lease.holder(), 1, Integer::sum);
                moving += lease.endOfTerm() ? 1 : 0;
            }
        }
        return new GroupView(effective.getKey(), effective.getValue(), waiting, led, moving);
    }

    private static Set<String> candidates(List<ElectionView> leases) {
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
}
