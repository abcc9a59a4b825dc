package io.cle.election.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/** The candidates of one lease. A shard shares the candidates of its group, and sees those that can lead it. Confined to the event loop. */
final class LeaseCandidates {

    private final ObjectKey lease;
    private final CandidateTable own = new CandidateTable();
    private @Nullable CandidateTable ofShards;

    LeaseCandidates(ObjectKey lease) {
        this.lease = lease;
    }

    /** Shares the candidates of the group with its other shards. */
    void share(CandidateTable candidatesOfGroup) {
        ofShards = candidatesOfGroup;
    }

    private Stream<CandidateTable> tables() {
        CandidateTable shared = ofShards;
        return shared == null ? Stream.of(own) : Stream.of(own, shared);
    }

    /**
     * Notes a candidate, unless it is one for shards, which is noted in the table of its group.
     */
    void seen(Candidate candidate, Moment now, boolean live) {
        LeaseGroup group = candidate.group();
        if (group == null || !group.isSharded()) {
            own.seen(candidate, now, live);
        }
    }

    /** Returns the candidates of the lease's own, which aren't candidates for shards. */
    CandidateTable own() {
        return own;
    }

    /** Notes that a holder was replaced without having released the lease. If it comes back, it may fail again. */
    void failed(String holder, Moment now) {
        tables().forEach(table -> table.failed(holder, now));
    }

    /** Postpones the deletion of an expired candidate. It stays expired, so it isn't elected. */
    void keep(ObjectKey candidate, long until) {
        tables().filter(table -> table.find(candidate) != null).forEach(table -> table.keep(candidate, until));
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    boolean isEmpty() {
        return all().isEmpty();
    }

    /** Whether the candidates are exactly those of the group, as for most shards. */
    boolean areExactlyThoseOfGroup() {
        CandidateTable shared = ofShards;
        return shared != null && !shared.hasWithdrawals() && own.all().isEmpty();
    }

    Collection<CandidateObservation> all() {
        CandidateTable shared = ofShards;
        if (shared == null) {
            return own.all();
        }
        if (own.all().isEmpty()) {
            return shared.of(lease);
        }
        List<CandidateObservation> all = new ArrayList<>(own.all());
        all.addAll(shared.of(lease));
        return all;
    }

    /** Whether a candidate bears the name. */
    boolean bears(String identity) {
        return all().stream().anyMatch(known -> known.candidate().identity().equals(identity));
    }

    boolean hasOneOfTheLeasesNamespace() {
        return all().stream()
                .anyMatch(known -> known.candidate().key().namespace().equals(lease.namespace()));
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
        List<Candidate> expired = new ArrayList<>(0);
        tables().forEach(table -> table.all().stream()
                .filter(candidate -> now.reached(table.removableAt(candidate)))
                .forEach(candidate -> expired.add(candidate.candidate())));
        return expired;
    }

    /** Returns when the next candidate is to be deleted unless it renews; {@link Decision#NEVER} if there is none. */
    long nextRemoval() {
        return tables().flatMapToLong(table -> table.all().stream().mapToLong(table::removableAt))
                .min()
                .orElse(Decision.NEVER);
    }

    /** Returns the problems of the candidates, for people. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        Set<LeaseGroup> groups = new TreeSet<>();
        all().forEach(known -> Optional.ofNullable(known.candidate().group()).ifPresent(groups::add));
        if (groups.size() > 1) {
            problems.add("candidates put the lease into several groups: "
                    + groups.stream().map(LeaseGroup::label).collect(Collectors.joining(", "))
                    + "; only the candidates of one of them are elected evenly");
        }
        return problems;
    }
}
