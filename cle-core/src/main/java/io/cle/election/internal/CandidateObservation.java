package io.cle.election.internal;

import java.time.Duration;
import java.util.Objects;

import io.cle.model.Candidate;
import io.cle.model.Moment;

/**
 * A candidate as one coordinator has watched it. All instants are monotonic nanoseconds of this coordinator; the candidate's own
 * clock decides nothing. Immutable.
 *
 * @param candidate the candidate
 * @param presentSince since when it has been seen, or has been after it failed as a holder
 * @param renewedAt when a renewal of it was last seen to happen; {@link #NEVER_SEEN} when none was
 * @param pingedAt when it was last asked to acknowledge; {@link #NEVER_SEEN} when it wasn't
 */
public record CandidateObservation(Candidate candidate, long presentSince, long renewedAt, long pingedAt) {

    /** An instant that wasn't observed. */
    public static final long NEVER_SEEN = Long.MIN_VALUE;

    /** Where a candidate is in answering. */
    public enum Answer {
        /** It has renewed lately, by itself or because it was asked (safety.md#acknowledgement). */
        ACKNOWLEDGED,
        /** It was asked and has time left. */
        PENDING,
        /** It was asked and has let the time pass. It counts again as soon as it renews. */
        SILENT,
        /** It has to be asked. */
        UNASKED
    }

    /**
     * The first sight.
     *
     * @param live whether it was seen to come, rather than found in a list: then its renewal is of now
     */
    public static CandidateObservation first(Candidate candidate, Moment now, boolean live) {
        boolean pending = candidate.ackPending();
        return new CandidateObservation(
                candidate,
                now.nanos(),
                live && !pending ? now.nanos() : NEVER_SEEN,
                pending ? now.nanos() : NEVER_SEEN);
    }

    /** What is known after it was seen once more. */
    public CandidateObservation seen(Candidate next, Moment now) {
        boolean renewed = !Objects.equals(candidate.renewTime(), next.renewTime());
        if (renewed && !next.ackPending()) {
            return new CandidateObservation(next, presentSince, now.nanos(), pingedAt);
        }
        if (awaited() && !next.ackPending()) {
            // Another writer has taken the ping back, so that the candidate never answers it: it has to be asked anew.
            return new CandidateObservation(next, presentSince, renewedAt, NEVER_SEEN);
        }
        boolean asked = next.ackPending() && !Objects.equals(candidate.pingTime(), next.pingTime()) && !awaited();
        return new CandidateObservation(next, presentSince, renewedAt, asked ? now.nanos() : pingedAt);
    }

    /** What is known after it was asked to acknowledge. */
    public CandidateObservation pinged(Moment now) {
        return new CandidateObservation(candidate, presentSince, renewedAt, now.nanos());
    }

    /** What is known after asking has failed: it wasn't asked. */
    public CandidateObservation notPinged() {
        return new CandidateObservation(candidate, presentSince, renewedAt, NEVER_SEEN);
    }

    /** What is known of one that has failed as a holder: it has to be there for long enough anew before it ends a leader's term. */
    public CandidateObservation presentAnew(Moment now) {
        return new CandidateObservation(candidate, now.nanos(), renewedAt, pingedAt);
    }

    /** Whether it was asked after its last renewal. */
    private boolean awaited() {
        return pingedAt != NEVER_SEEN && (renewedAt == NEVER_SEEN || renewedAt - pingedAt < 0);
    }

    /** From when on it is no candidate any more, unless it renews. */
    public long expiresAt() {
        long sign = renewedAt == NEVER_SEEN ? presentSince : renewedAt;
        return sign + candidate.validity().toNanos();
    }

    /** Where it is in answering. An answer to this election's question counts until the slowest could have answered. */
    public Answer answer(Moment now, Duration ackTimeout) {
        if (awaited()) {
            return now.reached(ackDeadline(ackTimeout)) ? Answer.SILENT : Answer.PENDING;
        }
        boolean fresh = renewedAt != NEVER_SEEN && now.nanos() - renewedAt <= ackTimeout.toNanos();
        boolean answered =
                pingedAt != NEVER_SEEN && renewedAt != NEVER_SEEN && now.nanos() - pingedAt <= 2 * ackTimeout.toNanos();
        return fresh || answered ? Answer.ACKNOWLEDGED : Answer.UNASKED;
    }

    /** Whether it has renewed at an instant or later. */
    boolean heardSince(long instant) {
        return renewedAt != NEVER_SEEN && renewedAt - instant >= 0;
    }

    /** Whether it has renewed, or was asked to, at an instant or later. */
    boolean heardOrAskedSince(long instant) {
        return heardSince(instant) || (pingedAt != NEVER_SEEN && pingedAt - instant >= 0);
    }

    /** Until when it has time to answer; meaningless when it wasn't asked. */
    public long ackDeadline(Duration ackTimeout) {
        return pingedAt + ackTimeout.toNanos();
    }
}
