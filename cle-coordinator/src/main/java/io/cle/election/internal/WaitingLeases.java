package io.cle.election.internal;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import io.cle.model.ObjectKey;

/**
 * Leases that have to be reconciled. Namespaces take turns, so that thousands of leases of one don't keep those of another waiting. Confined to the event
 * loop. Rule: {@code protocol.md#requests-and-limits}.
 */
final class WaitingLeases {

    /** Those of one namespace, each oldest first. */
    private record OfNamespace(Set<ObjectKey> first, Set<ObjectKey> others) {

        private OfNamespace() {
            this(new LinkedHashSet<>(), new LinkedHashSet<>());
        }

        private ObjectKey take() {
            Set<ObjectKey> leases = first.isEmpty() ? others : first;
            ObjectKey lease = leases.iterator().next();
            leases.remove(lease);
            return lease;
        }

        private boolean isEmpty() {
            return first.isEmpty() && others.isEmpty();
        }
    }

    /** The namespace whose turn it is comes first. */
    private final Map<String, OfNamespace> namespaces = new LinkedHashMap<>();

    private int size;

    /**
     * Adds a lease, once.
     *
     * @param first whether it comes before the others of its namespace
     */
    void add(ObjectKey lease, boolean first) {
        OfNamespace leases = namespaces.computeIfAbsent(lease.namespace(), unused -> new OfNamespace());
        if (!leases.first().contains(lease) && !leases.others().contains(lease)) {
            size++;
        }
        if (first) {
            leases.others().remove(lease);
            leases.first().add(lease);
        } else if (!leases.first().contains(lease)) {
            leases.others().add(lease);
        }
    }

    /**
     * Takes the next lease.
     *
     * @param admitted the namespaces whose leases may be taken
     * @return empty if there is none
     */
    Optional<ObjectKey> take(Predicate<String> admitted) {
        String turn = namespaces.keySet().stream().filter(admitted).findFirst().orElse(null);
        OfNamespace leases = turn == null ? null : namespaces.remove(turn);
        if (turn == null || leases == null) {
            return Optional.empty();
        }
        ObjectKey lease = leases.take();
        size--;
        if (!leases.isEmpty()) {
            namespaces.put(turn, leases);
        }
        return Optional.of(lease);
    }

    int size() {
        return size;
    }

    void clear() {
        namespaces.clear();
        size = 0;
    }
}
