package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of one lease or of a group. The candidates of a shard are those of its group that can lead it; a lease that is only named like a
 * shard may also have candidates of its own. Confined to the event loop. Rule: {@code protocol.md#requests-and-limits}.
 */
final class CandidateTable {

    private final ObjectKey lease;

    /** All observed candidates, of all leases. */
    private final Map<ObjectKey, CandidateObservation> observed;

    private final Set<ObjectKey> own = new HashSet<>();

    /** The candidates of the shard's group; {@code null} for other leases and for groups. */
    private @Nullable CandidateTable ofGroup;

    /**
     * Creates an empty table.
     *
     * @param lease the lease, or the pattern of a group's leases
     * @param observed all observed candidates, of all leases
     */
    CandidateTable(ObjectKey lease, Map<ObjectKey, CandidateObservation> observed) {
        this.lease = lease;
        this.observed = observed;
    }

    /** Shares the candidates of a group with its other shards; leases with names of their own share none. */
    void share(GroupEntry group) {
        ofGroup = group.group().isSharded() ? group.candidates() : null;
    }

    void add(ObjectKey candidate) {
        own.add(candidate);
    }

    void remove(ObjectKey candidate) {
        own.remove(candidate);
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    private Stream<CandidateObservation> known() {
        Stream<ObjectKey> keys = ofGroup == null ? own.stream() : Stream.concat(own.stream(), ofGroup.own.stream());
        return keys.map(observed::get).filter(Objects::nonNull);
    }

    /** Returns the candidates that can lead the lease. */
    List<CandidateObservation> all() {
        return known().filter(known -> canLead(known.candidate())).toList();
    }

    /** Whether a candidate can lead the lease. Candidates that have withdrawn from no shard can lead all of them. */
    private boolean canLead(Candidate candidate) {
        LeaseGroup group = candidate.group();
        return ofGroup == null
                || group == null
                || candidate.leases().size() == group.shards()
                || candidate.canLead(lease);
    }

    boolean isEmpty() {
        return all().isEmpty();
    }

    /** Whether a candidate has this identity. */
    boolean bears(String identity) {
        return all().stream().anyMatch(known -> known.candidate().identity().equals(identity));
    }

    /** Returns the candidates whose identity a lease names as its holder. */
    List<Candidate> holding(Lease lease) {
        return all().stream()
                .map(CandidateObservation::candidate)
                .filter(candidate -> lease.heldBy(candidate.identity()))
                .toList();
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

    /** Returns the identities of the candidates that may be elected and aren't silent. */
    Set<String> answering(Duration ackTimeout, Moment now) {
        return alive(now).stream()
                .filter(candidate -> candidate.answer(now, ackTimeout) != CandidateObservation.Answer.SILENT
                        && !candidate.candidate().leases().isEmpty())
                .map(candidate -> candidate.candidate().identity())
                .collect(Collectors.toSet());
    }

    /** Returns the expired candidates to delete now; for a shard, also those that have withdrawn from it. */
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
