package io.cle.election.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/** All observations of one lease. Confined to the event loop. Rule: {@code safety.md#succession}. */
final class LeaseRecord {

    /** The reason of the problem that the lease can't be decoded. */
    static final String MALFORMED = "Malformed";

    /**
     * The shortest time between two changes of the preferred holder or the strategy: two coordinators that disagree must not undo each other's writes
     * as fast as they can.
     */
    private static final Duration BETWEEN_PREFERENCES = Duration.ofMillis(500);

    private final ObjectKey key;
    private final LeaseObservation.Observer observer;
    private final CandidateTable candidates;
    private final LeaseHistory history = new LeaseHistory();
    private @Nullable GroupEntry group;
    private @Nullable String successor;
    private @Nullable LeaseObservation lease;
    private @Nullable Long nextPreference;

    private LastHolder lastHolder = LastHolder.UNKNOWN;
    private HolderPod holderPod = HolderPod.NOT_LOOKED_AT;
    private HoldOffs holdOffs = HoldOffs.NONE;

    /** The present problems, by the reason of their Event. */
    private final Map<String, String> problems = new LinkedHashMap<>();

    /**
     * Creates an entry for a lease that hasn't been seen yet.
     *
     * @param longestTerm the coordinator's own lease duration, which a term is assumed to have if nothing else is known of it
     * @param observed all observed candidates
     */
    LeaseRecord(ObjectKey key, Duration longestTerm, Map<ObjectKey, CandidateObservation> observed) {
        this.key = key;
        this.candidates = new CandidateTable(key, observed);
        this.observer = new LeaseObservation.Observer(longestTerm, false);
    }

    ObjectKey key() {
        return key;
    }

    /** Returns the group that the lease belongs to; {@code null} if it isn't known to belong to one. */
    @Nullable
    GroupEntry group() {
        return group;
    }

    /** Moves the lease into a group; {@code null} for none. */
    void belongsTo(@Nullable GroupEntry ofLease) {
        if (group != null) {
            group.remove(this);
        }
        group = ofLease;
        if (ofLease != null) {
            ofLease.add(this);
            candidates.share(ofLease);
        }
    }

    /** Returns the holder or preferred holder of a write in progress; {@code null} if there is none. */
    @Nullable
    String successor() {
        return successor;
    }

    /** Records the holder or preferred holder of a write in progress; {@code null} once it has ended. */
    void noteSuccessor(@Nullable String candidate) {
        successor = candidate;
    }

    /**
     * Records an observed lease. A version older than the known one only means that its term may still run.
     *
     * @param contiguous whether no write was missed since the last record: false for a list or a read
     */
    void seen(Lease next, Moment now, boolean contiguous) {
        LeaseObservation known = lease;
        // A closed lease excludes all candidates, but not the coordinator, which opens it.
        LeaseObservation.Observer by = new LeaseObservation.Observer(observer.leaseDuration(), next.closed());
        if (known != null
                && known.lease() != null
                && ResourceVersions.older(next.resourceVersion(), known.lease().resourceVersion())) {
            lease = known.late(next, now, by);
            return;
        }
        lastHolder = lastHolder.seen(next);
        holdOffs = holdOffs.seen(known == null ? null : known.lease(), next, now);
        observed(
                known == null ? LeaseObservation.first(next, now, by) : known.seen(next, now, contiguous, by),
                now,
                contiguous);
    }

    /** Records that the watch has reported the deletion of the lease. */
    void deleted(Moment now) {
        observed(lease(now).seen(null, now, true, observer), now, true);
    }

    /** Records that a list or a read didn't contain the lease. */
    void missing(Moment now) {
        observed(lease(now).seen(null, now, false, observer), now, false);
    }

    private void observed(LeaseObservation next, Moment now, boolean contiguous) {
        history.observed(lease, next, now, contiguous);
        lease = next;
        holderPod = holderPod.seen(next);
        problems.remove(MALFORMED);
    }

    /**
     * Records the version in a list of the watch. An older version than the known one shows that etcd was restored, which is
     * a gap (safety.md#succession).
     */
    void listed(Lease next, Moment now) {
        Lease known = current();
        if (known != null && ResourceVersions.older(next.resourceVersion(), known.resourceVersion())) {
            missing(now);
            lastHolder = LastHolder.UNKNOWN;
        }
    }

    /**
     * Records a problem.
     *
     * @param reason its kind
     * @param problem the problem; {@code null} if there is none
     * @return the previous problem; {@code null} if there was none
     */
    @Nullable
    String note(String reason, @Nullable String problem) {
        return problem == null ? problems.remove(reason) : problems.put(reason, problem);
    }

    LastHolder lastHolder() {
        return lastHolder;
    }

    LeaseObservation lease(Moment now) {
        return lease == null ? LeaseObservation.first(null, now, observer) : lease;
    }

    @Nullable
    Lease current() {
        return lease == null ? null : lease.lease();
    }

    /** Adds a candidate that can lead the lease. A candidate for shards is in the table of its group instead. */
    void add(Candidate candidate) {
        LeaseGroup named = candidate.group();
        if (named == null || !named.isSharded()) {
            candidates.add(candidate.key());
        }
        lastHolder = lastHolder.stands(candidate.identity());
    }

    /** Records that a candidate can no longer lead the lease. */
    void removeCandidate(Candidate candidate, Moment now) {
        candidates.remove(candidate.key());
        if (candidate.identity().equals(lastHolder.identity()) && !candidates.bears(candidate.identity())) {
            lastHolder = lastHolder.gone(candidate.identity(), now);
        }
    }

    CandidateTable candidates() {
        return candidates;
    }

    /** Whether the lease itself is malformed, as last observed. */
    boolean unreadable() {
        return problems.containsKey(MALFORMED);
    }

    List<String> problems() {
        return List.copyOf(problems.values());
    }

    /** Returns when the preferred holder or the strategy may be changed; empty if now, which postpones the next change. */
    Optional<Long> nextPreference(Moment now) {
        Optional<Long> later = Optional.ofNullable(nextPreference).filter(at -> !now.reached(at));
        nextPreference = later.orElse(now.plus(BETWEEN_PREFERENCES));
        return later;
    }

    HoldOffs holdOffs() {
        return holdOffs;
    }

    HolderPod holderPod() {
        return holderPod;
    }

    /** Records the result of reading the pod. A read that began during another term is ignored. */
    void lookedAt(HolderPod look) {
        if (holderPod.sameTerm(look)) {
            holderPod = look;
        }
    }

    LeaseHistory history() {
        return history;
    }

    boolean empty() {
        return candidates.isEmpty() && !unreadable() && current() == null;
    }
}
