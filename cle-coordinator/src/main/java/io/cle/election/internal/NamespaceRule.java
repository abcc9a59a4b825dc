package io.cle.election.internal;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.cle.model.ObjectKey;

/**
 * Decides which candidates and configurations count for a lease (safety.md#own-namespace): those of the lease's own namespace, and those
 * of namespaces that the coordinator's administrator has put on a list. Without the rule an account with rights in one namespace deposes
 * the leaders of all others. Immutable and thread-safe.
 */
public final class NamespaceRule {

    /** Candidates and configurations count for leases of their own namespace only. */
    public static final NamespaceRule OWN_NAMESPACE_ONLY = new NamespaceRule(Set.of());

    private final Set<String> crossNamespace;

    /**
     * Creates a rule with an allow list.
     *
     * @param crossNamespace namespaces whose candidates and configurations may name leases of other namespaces
     */
    public NamespaceRule(Set<String> crossNamespace) {
        this.crossNamespace = Set.copyOf(crossNamespace);
    }

    /** Whether a candidate or a configuration may name a lease. */
    public boolean admits(ObjectKey object, ObjectKey lease) {
        return own(object, lease) || crossNamespace.contains(object.namespace());
    }

    /** Whether an object is of the lease's own namespace. */
    static boolean own(ObjectKey object, ObjectKey lease) {
        return object.namespace().equals(lease.namespace());
    }

    /**
     * Returns the names that candidates of several namespaces bear. The holder on the wire is only a name, so such a name doesn't tell which of
     * the candidates holds the lease.
     *
     * @param admitted candidates that may name the lease
     */
    public static Set<String> ambiguousNames(Collection<ObjectKey> admitted) {
        Set<String> names = new HashSet<>();
        Set<String> ambiguous = new HashSet<>();
        for (ObjectKey candidate : admitted) {
            if (!names.add(candidate.name())) {
                ambiguous.add(candidate.name());
            }
        }
        return ambiguous;
    }

    /**
     * Returns the candidates that count: all of the lease's own namespace, and those of other namespaces whose name no other candidate bears.
     *
     * @param admitted candidates that may name the lease
     * @param ambiguous their {@linkplain #ambiguousNames ambiguous names}
     */
    public static List<CandidateObservation> counting(
            ObjectKey lease, Collection<CandidateObservation> admitted, Set<String> ambiguous) {
        if (ambiguous.isEmpty()) {
            return List.copyOf(admitted);
        }
        return admitted.stream()
                .filter(candidate -> own(candidate.candidate().key(), lease)
                        || !ambiguous.contains(candidate.candidate().identity()))
                .toList();
    }
}
