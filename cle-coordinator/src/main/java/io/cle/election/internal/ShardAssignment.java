package io.cle.election.internal;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Assigns the leases of a group to its candidates. Pure and independent of the order of its arguments, so that a coordinator's successor
 * decides the same.
 *
 * <p>A lease moves from a candidate with more leases to one with fewer that can lead it, as long as that makes their numbers more even. Rule: {@code
 * protocol.md#even-shards}.
 */
public final class ShardAssignment {

    /**
     * A lease of the group.
     *
     * @param shard its number
     * @param leader the candidate that leads it, or is about to because it is being given or handed over; {@code null} if there is none
     * @param moving whether a hand-over is under way; it isn't taken back
     * @param pinned whether another strategy decides who leads it, because an administrator has set one for this lease
     * @param withdrawn the candidates that can't lead it
     */
    public record Part(int shard, @Nullable String leader, boolean moving, boolean pinned, Set<String> withdrawn) {}

    private static final int NOBODY = -1;

    private final List<String> candidates;
    private final List<Part> parts;

    /** Whether hand-overs may begin now. */
    private final boolean mayMove;

    /** The candidate that leads each lease, and the one that it is assigned to, by their indexes. */
    private final int[] leader;

    private final int[] assigned;

    /** How many leases each candidate has. */
    private final int[] load;

    private ShardAssignment(List<String> candidates, List<Part> parts, boolean mayMove) {
        this.candidates = candidates;
        this.parts = parts;
        this.mayMove = mayMove;
        Map<String, Integer> indexes = new HashMap<>();
        candidates.forEach(candidate -> indexes.put(candidate, indexes.size()));
        leader = parts.stream().mapToInt(part -> leaderOf(part, indexes)).toArray();
        assigned = new int[parts.size()];
        Arrays.fill(assigned, NOBODY);
        load = new int[candidates.size()];
    }

    /**
     * Assigns the leases of a group.
     *
     * @param group the name of the group. With the candidates' names it breaks ties, so that not every group gives the same candidate more than
     *     the others
     * @param candidates that may lead
     * @param mayMove whether hand-overs may begin now
     * @return the candidate for each lease by its number; a lease that no candidate can lead, or that is pinned, is missing
     */
    public static Map<Integer, String> of(
            String group, Collection<String> candidates, Collection<Part> parts, boolean mayMove) {
        Comparator<String> ties = Comparator.comparingInt(candidate -> hash(group + '/' + candidate));
        return new ShardAssignment(
                        candidates.stream()
                                .sorted(ties.thenComparing(Comparator.naturalOrder()))
                                .toList(),
                        parts.stream()
                                .sorted(Comparator.comparingInt(Part::shard))
                                .toList(),
                        mayMove)
                .assign();
    }

    /** Returns a hash of names that differ little: that of {@link String}, with the finalizer of MurmurHash3 (fmix32). */
    private static int hash(String name) {
        int hash = name.hashCode();
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }

    private Map<Integer, String> assign() {
        for (int i = 0; i < leader.length; i++) {
            give(i, leader[i]);
        }
        for (int i = 0; i < leader.length; i++) {
            Part part = parts.get(i);
            if (leader[i] == NOBODY && !part.pinned()) {
                give(i, leastLoaded(candidate -> canLead(candidate, part)));
            }
        }
        while (moveOne()) {}
        Map<Integer, String> result = new TreeMap<>();
        for (int i = 0; i < leader.length; i++) {
            if (assigned[i] != NOBODY && !parts.get(i).pinned()) {
                result.put(parts.get(i).shard(), candidates.get(assigned[i]));
            }
        }
        return result;
    }

    private int leaderOf(Part part, Map<String, Integer> indexes) {
        int index = indexes.getOrDefault(part.leader(), NOBODY);
        return index != NOBODY && (part.pinned() || canLead(index, part)) ? index : NOBODY;
    }

    private boolean canLead(int candidate, Part part) {
        return part.withdrawn().isEmpty() || !part.withdrawn().contains(candidates.get(candidate));
    }

    private boolean isMovable(int part) {
        return !parts.get(part).pinned()
                && assigned[part] != NOBODY
                && (leader[part] == NOBODY || (mayMove && !parts.get(part).moving()));
    }

    private void give(int part, int candidate) {
        if (assigned[part] != NOBODY) {
            load[assigned[part]]--;
        }
        if (candidate != NOBODY) {
            load[candidate]++;
        }
        assigned[part] = candidate;
    }

    private int leastLoaded(IntPredicate allowed) {
        int least = NOBODY;
        for (int candidate = 0; candidate < load.length; candidate++) {
            if ((least == NOBODY || load[candidate] < load[least]) && allowed.test(candidate)) {
                least = candidate;
            }
        }
        return least;
    }

    /** Moves one lease, from the candidate that has the most to the one that has the fewest, if they differ by more than one and it can lead it. */
    private boolean moveOne() {
        int[] byLoad = IntStream.range(0, load.length)
                .boxed()
                .sorted(Comparator.comparingInt(candidate -> load[candidate]))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int to : byLoad) {
            for (int i = byLoad.length - 1; i > 0 && load[byLoad[i]] - load[to] > 1; i--) {
                if (moveOne(byLoad[i], to)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean moveOne(int from, int to) {
        for (int i = assigned.length - 1; i >= 0; i--) {
            if (assigned[i] == from && isMovable(i) && canLead(to, parts.get(i))) {
                give(i, to);
                return true;
            }
        }
        return false;
    }
}
