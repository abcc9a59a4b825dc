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
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Which of the observed candidates are those of one lease, or of a group. A shard has no candidates of its own but those of its group that can lead
 * it; a lease that is only named like a shard may have both. Confined to the event loop. Rule: {@code protocol.md#requests-and-limits}.
 */
final class CandidateTable {

    private final ObjectKey lease;

    /** All observed candidates, of all leases. */
    private final Map<ObjectKey, CandidateObservation> observed;

    private final Set<ObjectKey> own = new HashSet<>();

    /** The candidates of the group of a shard; {@code null} for another lease, and for a group. */
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

    /** Shares the candidates of the group with its other shards; does nothing if its leases have names of their own. */
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

    /** Whether one of the candidates can lead the lease; those that have withdrawn from no shard can lead all. */
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

    /** Returns the names of the candidates that may be elected and answer, or haven't been asked. */
    Set<String> answering(Duration ackTimeout, Moment now) {
        return alive(now).stream()
                .filter(candidate -> candidate.answer(now, ackTimeout) != CandidateObservation.Answer.SILENT
                        && !candidate.candidate().leases().isEmpty())
                .map(candidate -> candidate.candidate().identity())
                .collect(Collectors.toSet());
    }

    /** Returns the expired candidates that are to be deleted now: of a shard also those that have withdrawn from it. */
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
