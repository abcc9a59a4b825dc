package io.cle.election.internal.shards;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.cle.model.ObjectKey;
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
     * @param lease its name
     * @param leader the candidate that leads it, or is about to because the lease is being granted or handed over; {@code null} if there is none
     * @param moving whether a hand-over is in progress, which isn't reverted
     * @param pinned whether an administrator has set another strategy for this lease, which elects its leader
     * @param able the candidates that can lead it now
     */
    public record Part(ObjectKey lease, @Nullable String leader, boolean moving, boolean pinned, Set<String> able) {

        /** Whether the lease has a leader that keeps it, unless the lease moves. */
        boolean isLed() {
            return leader != null && able.contains(leader);
        }
    }

    private final List<Part> parts;
    private final boolean mayMove;

    /** The candidate that each lease is assigned to, in the order of the leases. */
    private final @Nullable String[] assigned;

    /** The number of leases of each candidate. Candidates with equal numbers are given another lease in this order. */
    private final SortedMap<String, Integer> load;

    private ShardAssignment(String group, Collection<Part> parts, boolean mayMove) {
        this.parts = parts.stream().sorted(Comparator.comparing(Part::lease)).toList();
        this.mayMove = mayMove;
        this.assigned = new String[parts.size()];
        Comparator<String> ties = Comparator.comparingInt(candidate -> hash(group + '/' + candidate));
        this.load = new TreeMap<>(ties.thenComparing(Comparator.naturalOrder()));
        parts.stream().flatMap(part -> part.able().stream()).distinct().forEach(candidate -> load.put(candidate, 0));
    }

    /**
     * Assigns the leases of a group.
     *
     * @param group the name of the group. It breaks ties, together with the candidates' names, so that groups don't all give the same candidate more
     *     than the others
     * @param mayMove whether hand-overs may begin now
     * @return the candidate for each lease; a lease that no candidate can lead, or that is pinned, is missing
     */
    public static Map<ObjectKey, String> of(String group, Collection<Part> parts, boolean mayMove) {
        return new ShardAssignment(group, parts, mayMove).assign();
    }

    /** Returns a hash of names that differ little: that of {@link String}, with the finalizer of MurmurHash3 (fmix32). */
    private static int hash(String name) {
        int hash = name.hashCode();
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }

    private Map<ObjectKey, String> assign() {
        for (int i = 0; i < assigned.length; i++) {
            if (parts.get(i).isLed()) {
                give(i, Objects.requireNonNull(parts.get(i).leader()));
            }
        }
        for (int i = 0; i < assigned.length; i++) {
            if (!parts.get(i).isLed() && !parts.get(i).pinned()) {
                int part = i;
                leastLoaded(parts.get(i).able()).ifPresent(candidate -> give(part, candidate));
            }
        }
        while (moveOne()) {}
        Map<ObjectKey, String> result = new HashMap<>();
        for (int i = 0; i < assigned.length; i++) {
            if (assigned[i] != null && !parts.get(i).pinned()) {
                result.put(parts.get(i).lease(), assigned[i]);
            }
        }
        return result;
    }

    private void give(int part, String candidate) {
        if (assigned[part] != null) {
            load.merge(assigned[part], -1, Integer::sum);
        }
        load.merge(candidate, 1, Integer::sum);
        assigned[part] = candidate;
    }

    private Optional<String> leastLoaded(Set<String> able) {
        return load.entrySet().stream()
                .filter(candidate -> able.contains(candidate.getKey()))
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /**
     * Moves one lease to a candidate with fewer leases, which can lead it, from a candidate that has at least two more; the largest difference
     * is tried first.
     */
    private boolean moveOne() {
        List<Map.Entry<String, Integer>> byLoad =
                load.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList();
        for (Map.Entry<String, Integer> to : byLoad) {
            for (int i = byLoad.size() - 1; byLoad.get(i).getValue() - to.getValue() > 1; i--) {
                if (moveOne(byLoad.get(i).getKey(), to.getKey())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean moveOne(String from, String to) {
        for (int i = assigned.length - 1; i >= 0; i--) {
            if (from.equals(assigned[i])
                    && isMovable(parts.get(i))
                    && parts.get(i).able().contains(to)) {
                give(i, to);
                return true;
            }
        }
        return false;
    }

    private boolean isMovable(Part part) {
        return !part.pinned() && (!part.isLed() || (mayMove && !part.moving()));
    }
}
