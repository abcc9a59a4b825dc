package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.cle.model.Candidate;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;

/**
 * A candidate as observed by this coordinator. All instants are this coordinator's monotonic nanoseconds. The candidate's own clock only decides
 * whether it is pinged: an object that appears with an old renew time may be a restored copy whose process is gone (safety.md#acknowledgement).
 * Immutable.
 *
 * @param candidate the candidate
 * @param renewedAt when it was first observed, or its renew time last changed; from then on it expires
 * @param heardAt when its process last renewed or answered a ping; {@link #NEVER_SEEN} if it didn't
 * @param pingedAt when it was last pinged; {@link #NEVER_SEEN} if it wasn't
 * @param keptUntil when to retry its deletion if it has expired
 */
public record CandidateObservation(Candidate candidate, long renewedAt, long heardAt, long pingedAt, long keptUntil) {

    /** An instant that wasn't observed. */
    public static final long NEVER_SEEN = Long.MIN_VALUE;

    /** The largest difference between this coordinator's wall clock and a renew time that is regarded as current. */
    private static final Duration OF_NOW = Duration.ofSeconds(5);

    /** Whether a candidate has acknowledged. */
    public enum Answer {
        /** It has renewed lately, by itself or because it was pinged (safety.md#acknowledgement). */
        ACKNOWLEDGED,
        /** It was pinged and has time left. */
        PENDING,
        /** It was pinged and hasn't answered in time. A renewal ends this. */
        SILENT,
        /** It has to be pinged. */
        UNASKED
    }

    /**
     * Returns the observation of a candidate that is seen for the first time.
     *
     * @param live whether a watch event delivered it, rather than a list: then a current renew time is an acknowledgement
     */
    public static CandidateObservation first(Candidate candidate, Moment now, boolean live) {
        boolean pending = candidate.ackPending();
        boolean heard = live && !pending && ofNow(candidate, now);
        return new CandidateObservation(
                candidate,
                now.nanos(),
                heard ? now.nanos() : NEVER_SEEN,
                pending ? now.nanos() : NEVER_SEEN,
                NEVER_SEEN);
    }

    /** Returns the observation after the candidate was seen again. */
    public CandidateObservation seen(Candidate next, Moment now) {
        boolean changed = !Objects.equals(candidate.renewTime(), next.renewTime()) && !next.ackPending();
        if (changed && heard(next, now)) {
            return new CandidateObservation(next, now.nanos(), now.nanos(), pingedAt, keptUntil);
        }
        long renewal = changed ? now.nanos() : renewedAt;
        if (awaited() && !next.ackPending()) {
            // Another writer has removed the ping, so the candidate never answers it and has to be pinged again.
            return new CandidateObservation(next, renewal, heardAt, NEVER_SEEN, keptUntil);
        }
        boolean asked = next.ackPending() && !Objects.equals(candidate.pingTime(), next.pingTime()) && !awaited();
        return new CandidateObservation(next, renewal, heardAt, asked ? now.nanos() : pingedAt, keptUntil);
    }

    /** Returns whether the candidate's process wrote a changed renew time, rather than somebody who restored an earlier copy of the object. */
    private boolean heard(Candidate next, Moment now) {
        Instant before = candidate.renewTime();
        Instant renewed = next.renewTime();
        return (renewed == null || before == null) ? ofNow(next, now) : renewed.isAfter(before);
    }

    private static boolean ofNow(Candidate candidate, Moment now) {
        Instant renewed = candidate.renewTime();
        return renewed != null && Duration.between(renewed, now.wall()).abs().compareTo(OF_NOW) <= 0;
    }

    /** Returns whether the next version is only a renewal that changes no decision: the candidate was neither pinged nor expired. */
    boolean onlyRenews(Candidate next, Moment now) {
        return !awaited()
                && !next.ackPending()
                && !now.reached(expiresAt())
                && candidate.toBuilder()
                        .resourceVersion(next.resourceVersion())
                        .renewTime(next.renewTime())
                        .build()
                        .equals(next);
    }

    /** Returns the observation after a ping. */
    public CandidateObservation pinged(Moment now) {
        return new CandidateObservation(candidate, renewedAt, heardAt, now.nanos(), keptUntil);
    }

    /** Returns the observation after a ping has failed, as if the candidate hadn't been pinged. */
    public CandidateObservation notPinged() {
        return new CandidateObservation(candidate, renewedAt, heardAt, NEVER_SEEN, keptUntil);
    }

    /** Returns the observation with a postponed deletion. An expired candidate stays expired, so it isn't elected. */
    CandidateObservation keptUntil(long until) {
        return new CandidateObservation(candidate, renewedAt, heardAt, pingedAt, until);
    }

    /** Whether the candidate was pinged after its last renewal. */
    private boolean awaited() {
        return pingedAt != NEVER_SEEN && (heardAt == NEVER_SEEN || heardAt - pingedAt < 0);
    }

    /** Returns when the candidate expires unless it renews. */
    public long expiresAt() {
        return renewedAt + candidate.validity().toNanos();
    }

    /** Returns when the candidate is to be deleted unless it renews. */
    long removableAt() {
        return Math.max(expiresAt(), keptUntil);
    }

    /** Returns whether the candidate has acknowledged. An acknowledgement is valid until the slowest candidate could have acknowledged. */
    public Answer answer(Moment now, Duration ackTimeout) {
        if (awaited()) {
            return now.reached(ackDeadline(ackTimeout)) ? Answer.SILENT : Answer.PENDING;
        }
        boolean fresh = heardAt != NEVER_SEEN && now.nanos() - heardAt <= ackTimeout.toNanos();
        boolean answered =
                pingedAt != NEVER_SEEN && heardAt != NEVER_SEEN && now.nanos() - pingedAt <= 2 * ackTimeout.toNanos();
        return fresh || answered ? Answer.ACKNOWLEDGED : Answer.UNASKED;
    }

    /** Whether it has renewed at an instant or later. */
    boolean heardSince(long instant) {
        return heardAt != NEVER_SEEN && heardAt - instant >= 0;
    }

    /** Whether it has renewed, or was pinged, at an instant or later. */
    boolean heardOrAskedSince(long instant) {
        return heardSince(instant) || (pingedAt != NEVER_SEEN && pingedAt - instant >= 0);
    }

    /**
     * Whether it holds a lease that has expired, was pinged while it could still have renewed, and hasn't answered. Unlike for a candidate that was
     * pinged just now, an election doesn't wait for it.
     */
    boolean letExpire(LeaseObservation lease, Duration ackTimeout, Moment now) {
        return lease.lease() != null
                && lease.lease().heldBy(candidate.identity())
                && lease.free(now)
                && answer(now, ackTimeout) == Answer.PENDING
                && pingedAt - lease.freeAt() < 0;
    }

    /** Returns the deadline for the acknowledgement; meaningless if the candidate wasn't pinged. */
    public long ackDeadline(Duration ackTimeout) {
        return pingedAt + ackTimeout.toNanos();
    }
}
