package io.cle.runtime.internal.coordinator;

import java.time.Instant;
import java.util.List;

import io.cle.election.internal.CandidateObservation;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.strategy.internal.StrategyChoice;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator knows of one lease, for its endpoint (safety.md#reasons).
 *
 * @param key the lease
 * @param lease the lease as last seen; {@code null} when there is none
 * @param strategy by which it's elected
 * @param candidates best first
 * @param reason of the last decision; {@code null} before the first
 * @param decidedAt when that was; {@code null} before the first
 * @param problems what isn't as it should be with the lease, its candidates or its configuration
 * @param renewedAt when a renewal of the lease was last seen; {@code null} when there is no holder
 * @param heldUntil until when the lease is held unless it is renewed; {@code null} when there is no holder
 * @param decisions the last decisions, newest first
 * @param terms the last terms that were seen, oldest first; the last one may still run
 * @param knownSince since when no term and no gap is missing in them; {@code null} if nothing has been seen
 */
public record ElectionView(
        ObjectKey key,
        @Nullable Lease lease,
        StrategyChoice strategy,
        List<Standing> candidates,
        @Nullable String reason,
        @Nullable Instant decidedAt,
        List<String> problems,
        @Nullable Instant renewedAt,
        @Nullable Instant heldUntil,
        List<PastDecision> decisions,
        List<PastTerm> terms,
        @Nullable Instant knownSince) {

    /** Whether the lease names a holder and, as far as was observed, has not expired at an instant of this process's wall clock. */
    public boolean heldAt(Instant now) {
        return lease != null && lease.held() && (heldUntil == null || now.isBefore(heldUntil));
    }

    /** What the holder that the lease names is. */
    public enum Holding {
        /** The lease names none. */
        NONE,
        /** It was elected, and hasn't begun its term: no process leads. */
        ELECTED,
        /** It leads. */
        LEADS,
        /** Its lease has expired. */
        EXPIRED
    }

    /** What the holder is, as far as was observed, at an instant of this process's wall clock. */
    public Holding holdingAt(Instant now) {
        if (lease == null || !lease.held()) {
            return Holding.NONE;
        }
        if (lease.granted()) {
            return Holding.ELECTED;
        }
        return heldAt(now) ? Holding.LEADS : Holding.EXPIRED;
    }

    /** What a candidate is to the lease at an instant. */
    public Holding holdingOf(Candidate candidate, Instant now) {
        return lease != null && lease.heldBy(candidate.identity()) ? holdingAt(now) : Holding.NONE;
    }

    /**
     * A candidate and its rank.
     *
     * @param answer whether it has acknowledged lately
     * @param acknowledgedAt when it was last seen to renew or acknowledge; {@code null} when it wasn't
     * @param heldOffUntil until when all others come before it, because it was elected and didn't begin its term; {@code null} if
     *     they don't
     */
    public record Standing(
            Candidate candidate,
            CandidateObservation.Answer answer,
            @Nullable Instant acknowledgedAt,
            @Nullable Instant heldOffUntil) {}

    /**
     * A decision.
     *
     * @param time when it was first made; the same decision made again doesn't count
     * @param reason why, for people
     */
    public record PastDecision(Instant time, String reason) {}

    /**
     * A term.
     *
     * @param holder who led
     * @param from since when the term was seen
     * @param until when it was seen to have ended, or its lease had expired; {@code null} while it runs
     * @param begunBefore whether the term had begun before it was first seen
     */
    public record PastTerm(
            String holder, Instant from, @Nullable Instant until, boolean begunBefore) {}
}
