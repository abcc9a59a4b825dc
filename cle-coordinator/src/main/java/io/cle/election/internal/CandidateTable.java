package io.cle.election.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * The observed candidates of one lease, or of all shards of a group together. A shard has no candidates of its own but those of its group that can
 * lead it; a lease that is only named like a shard may have both. Confined to the event loop. Rule: {@code protocol.md#requests-and-limits}.
 */
final class CandidateTable {

    private final ObjectKey lease;

    private final Map<ObjectKey, CandidateObservation> own = new HashMap<>();

    /** The candidates that have withdrawn from some of the shards, in the table of a group. */
    private final Set<ObjectKey> partial = new HashSet<>();

    /** The candidates of the group of a shard; {@code null} for another lease, and for a group. */
    private @Nullable CandidateTable ofGroup;

    /**
     * Creates an empty table.
     *
     * @param lease the lease, or the pattern of a group's leases
     */
    CandidateTable(ObjectKey lease) {
        this.lease = lease;
    }

    /** Shares the candidates of the group with its other shards. */
    void share(CandidateTable candidatesOfGroup) {
        ofGroup = candidatesOfGroup;
    }

    /** Notes a candidate. Older versions of a known candidate are ignored. */
    void seen(Candidate candidate, Moment now, boolean live) {
        CandidateObservation known = own.get(candidate.key());
        if (known != null
                && ResourceVersions.older(
                        candidate.resourceVersion(), known.candidate().resourceVersion())) {
            return;
        }
        own.put(
                candidate.key(),
                known == null ? CandidateObservation.first(candidate, now, live) : known.seen(candidate, now));
        LeaseGroup group = candidate.group();
        if (group != null && candidate.leases().size() < group.shards()) {
            partial.add(candidate.key());
        } else {
            partial.remove(candidate.key());
        }
    }

    void remove(ObjectKey candidate) {
        own.remove(candidate);
        partial.remove(candidate);
    }

    /** Replaces the observation of a candidate; does nothing if there is none. */
    void update(ObjectKey candidate, UnaryOperator<CandidateObservation> change) {
        own.computeIfPresent(candidate, (unused, known) -> change.apply(known));
        if (ofGroup != null) {
            ofGroup.update(candidate, change);
        }
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    @Nullable
    CandidateObservation find(ObjectKey candidate) {
        return own.get(candidate);
    }

    private Stream<CandidateObservation> known() {
        return ofGroup == null
                ? own.values().stream()
                : Stream.concat(own.values().stream(), ofGroup.own.values().stream());
    }

    /** Whether the candidates are exactly those of the group, as for most shards. */
    boolean areExactlyThoseOfGroup() {
        return ofGroup != null && ofGroup.partial.isEmpty() && own.isEmpty();
    }

    /** Returns the candidates that can lead the lease. */
    Collection<CandidateObservation> all() {
        if (ofGroup == null) {
            return own.values();
        }
        return areExactlyThoseOfGroup()
                ? ofGroup.own.values()
                : known().filter(known -> known.candidate().canLead(lease)).toList();
    }

    boolean isEmpty() {
        return all().isEmpty();
    }

    /** Whether a candidate bears the name. */
    boolean bears(String identity) {
        return all().stream().anyMatch(known -> known.candidate().identity().equals(identity));
    }

    boolean hasOneOfTheLeasesNamespace() {
        return all().stream()
                .anyMatch(known -> NamespaceRule.own(known.candidate().key(), lease));
    }

    /** Returns the candidates that may be elected (safety.md#own-namespace). */
    Collection<CandidateObservation> counting() {
        return NamespaceRule.counting(lease, all());
    }

    /** Returns the candidates that may be elected and haven't expired. */
    List<CandidateObservation> alive(Moment now) {
        List<CandidateObservation> alive = new ArrayList<>(counting());
        alive.removeIf(candidate -> now.reached(candidate.expiresAt()));
        return alive;
    }

    /** Returns the expired candidates that are to be deleted now. */
    List<Candidate> expired(Moment now) {
        return known().filter(candidate -> now.reached(candidate.removableAt()))
                .map(CandidateObservation::candidate)
                .toList();
    }

    /** Returns when the next candidate is to be deleted unless it renews; {@link Decision#NEVER} if there is none. */
    long nextRemoval() {
        return known().mapToLong(CandidateObservation::removableAt).min().orElse(Decision.NEVER);
    }
}
