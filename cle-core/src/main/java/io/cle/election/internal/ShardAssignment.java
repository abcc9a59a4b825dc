package io.cle.election.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Assigns the leases of a group to its candidates. Pure and independent of the order of its arguments, so that a coordinator's successor
 * decides the same.
 *
 * <p>The numbers of leases that the candidates lead differ by at most one, as far as leases that can't be moved allow. No more leases move than
 * that demands: a lease stays with its leader unless the leader has too many, and none moves between two candidates that stay.
 * Rule: {@code safety.md#even-shards}.
 */
public final class ShardAssignment {

    /**
     * A lease of the group.
     *
     * @param shard its number
     * @param leader the candidate that leads it, or is about to because it is being given or handed over; {@code null} if there is none
     * @param moving whether a hand-over is under way
     * @param pinned whether another strategy decides who leads it, because an administrator has set one for this lease
     * @param withdrawn the candidates that can't lead it
     */
    public record Part(int shard, @Nullable String leader, boolean moving, boolean pinned, Set<String> withdrawn) {

        private boolean isRestricted() {
            return !withdrawn.isEmpty();
        }

        private boolean canBeLedBy(String candidate) {
            return !withdrawn.contains(candidate);
        }
    }

    private static final Comparator<Part> BY_SHARD = Comparator.comparingInt(Part::shard);

    private final TreeMap<String, Integer> load = new TreeMap<>();
    private final Map<String, Integer> quota = new HashMap<>();
    private final Map<Integer, String> assigned = new TreeMap<>();

    private ShardAssignment(Collection<String> candidates) {
        candidates.forEach(candidate -> load.put(candidate, 0));
    }

    /**
     * Assigns the leases of a group.
     *
     * @param candidates that may lead
     * @param mostMoving how many hand-overs may be under way at a time; 0 if none may begin now
     * @return the candidate for each lease by its number; a lease that no candidate can lead, or that is pinned, is missing
     */
    public static Map<Integer, String> of(Collection<String> candidates, Collection<Part> parts, int mostMoving) {
        ShardAssignment assignment = new ShardAssignment(candidates);
        assignment.assign(parts.stream().sorted(BY_SHARD).toList(), mostMoving);
        return assignment.assigned;
    }

    private void assign(List<Part> parts, int mostMoving) {
        if (load.isEmpty()) {
            return;
        }
        Map<String, List<Part>> led = new HashMap<>();
        List<Part> free = new ArrayList<>();
        for (Part part : parts) {
            String leader = part.leader();
            boolean leads = leader != null && load.containsKey(leader) && part.canBeLedBy(leader);
            if (part.pinned()) {
                load.computeIfPresent(leader == null ? "" : leader, (unused, leases) -> leases + 1);
            } else if (leads) {
                led.computeIfAbsent(leader, unused -> new ArrayList<>()).add(part);
            } else {
                free.add(part);
            }
        }
        shareOut((int) parts.stream().filter(part -> !part.pinned()).count(), led);
        int mayMove = mostMoving - (int) parts.stream().filter(Part::moving).count();
        free.stream().filter(Part::isRestricted).forEach(part -> giveToWhoNeedsIt(part, led));
        free.removeIf(Part::isRestricted);
        List<Part> surplus = new ArrayList<>();
        led.forEach((leader, leases) -> keep(leader, leases, surplus));
        surplus.sort(BY_SHARD);
        for (Part part : surplus) {
            if (mayMove > 0) {
                mayMove--;
                free.add(part);
            } else {
                give(part, part.leader());
            }
        }
        free.stream().filter(Part::isRestricted).forEach(this::giveToTheLeastLoaded);
        free.removeIf(Part::isRestricted);
        giveToThoseWithTooFew(free);
    }

    /** Sets the quota of each candidate. The leases are counted out one by one, each to the candidate with the fewest; if several have the fewest, to the one that would otherwise give the most away. */
    private void shareOut(int leases, Map<String, List<Part>> led) {
        Map<String, Integer> total = new HashMap<>(load);
        Comparator<String> next = Comparator.<String>comparingInt(total::get)
                .thenComparing(candidate -> quota.getOrDefault(candidate, 0)
                        - led.getOrDefault(candidate, List.of()).size())
                .thenComparing(Comparator.naturalOrder());
        PriorityQueue<String> queue = new PriorityQueue<>(next);
        queue.addAll(load.keySet());
        for (int i = 0; i < leases; i++) {
            String candidate = queue.remove();
            quota.merge(candidate, 1, Integer::sum);
            total.merge(candidate, 1, Integer::sum);
            queue.add(candidate);
        }
    }

    /** Decides which leases a candidate keeps. Leases that are being handed over to it are kept first, then those that not every candidate can lead. */
    private void keep(String leader, List<Part> leases, List<Part> surplus) {
        List<Part> byPreference = leases.stream()
                .sorted(Comparator.comparing((Part part) -> !part.moving())
                        .thenComparing(part -> !part.isRestricted())
                        .thenComparing(BY_SHARD))
                .toList();
        int stays = Math.max(0, Math.min(quota.getOrDefault(leader, 0), leases.size()));
        byPreference.subList(0, stays).forEach(part -> give(part, leader));
        surplus.addAll(byPreference.subList(stays, leases.size()));
    }

    private void give(Part part, @Nullable String candidate) {
        if (candidate != null) {
            assigned.put(part.shard(), candidate);
            load.merge(candidate, 1, Integer::sum);
            quota.merge(candidate, -1, Integer::sum);
        }
    }

    /** Gives a lease without a leader to one of the candidates that can lead it, before the others decide what they keep. */
    private void giveToWhoNeedsIt(Part part, Map<String, List<Part>> led) {
        load.keySet().stream()
                .filter(part::canBeLedBy)
                .max(Comparator.<String>comparingInt(candidate -> quota.getOrDefault(candidate, 0)
                                - led.getOrDefault(candidate, List.of()).size())
                        .thenComparing(Comparator.reverseOrder()))
                .ifPresent(candidate -> give(part, candidate));
    }

    /** Assigns leases that every candidate can lead to the candidates below their quota, the least loaded first. */
    private void giveToThoseWithTooFew(List<Part> leases) {
        PriorityQueue<String> tooFew =
                new PriorityQueue<>(Comparator.<String>comparingInt(candidate -> load.getOrDefault(candidate, 0))
                        .thenComparing(Comparator.naturalOrder()));
        load.keySet().stream()
                .filter(candidate -> quota.getOrDefault(candidate, 0) > 0)
                .forEach(tooFew::add);
        for (Part lease : leases) {
            String candidate = tooFew.poll();
            if (candidate == null) {
                giveToTheLeastLoaded(lease);
            } else {
                give(lease, candidate);
                if (quota.getOrDefault(candidate, 0) > 0) {
                    tooFew.add(candidate);
                }
            }
        }
    }

    private void giveToTheLeastLoaded(Part part) {
        String best = null;
        for (String candidate : load.keySet()) {
            if (part.canBeLedBy(candidate) && (best == null || before(candidate, best))) {
                best = candidate;
            }
        }
        give(part, best);
    }

    /** Returns whether a candidate comes before another one: candidates below their quota come first, then those that lead the fewest leases. */
    private boolean before(String candidate, String other) {
        int left = quota.getOrDefault(candidate, 0);
        int leftOfOther = quota.getOrDefault(other, 0);
        return left > 0 == leftOfOther > 0 ? load.getOrDefault(candidate, 0) < load.getOrDefault(other, 0) : left > 0;
    }
}
