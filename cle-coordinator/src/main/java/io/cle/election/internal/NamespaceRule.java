package io.cle.election.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.cle.model.ObjectKey;

/**
 * Decides which candidates and configurations apply to a lease (safety.md#own-namespace): those of the lease's own namespace, and those of namespaces
 * on the administrator's allow list. Without this rule, an account with permissions in one namespace could depose the leaders in all others.
 * Immutable and thread-safe.
 */
public final class NamespaceRule {

    /** Candidates and configurations apply to leases of their own namespace only. */
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
     * Returns the candidates that may be elected. A Lease contains only the holder's identity: if several candidates have it, the one in the lease's
     * own namespace is used, or else the first one by key.
     *
     * @param admitted candidates that may name the lease
     */
    static Collection<CandidateObservation> counting(ObjectKey lease, Collection<CandidateObservation> admitted) {
        if (admitted.stream().allMatch(candidate -> own(candidate.candidate().key(), lease))) {
            return admitted;
        }
        Comparator<CandidateObservation> firstOfName = Comparator.<CandidateObservation, Boolean>comparing(
                        candidate -> !own(candidate.candidate().key(), lease))
                .thenComparing(candidate -> candidate.candidate().key());
        Map<String, CandidateObservation> counting = new HashMap<>();
        admitted.stream()
                .sorted(firstOfName)
                .forEach(candidate -> counting.putIfAbsent(candidate.candidate().identity(), candidate));
        return counting.values();
    }
}
