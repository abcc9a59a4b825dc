package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

/**
 * One lease as the coordinator's endpoint shows it (protocol.md#events).
 *
 * @param key the lease
 * @param lease the lease as last seen; {@code null} when there is none
 * @param strategy by which it's elected
 * @param candidates best first
 * @param problems what isn't as it should be with the lease, its candidates or its configuration
 * @param renewedAt when a renewal of the lease was last seen; {@code null} when there is no holder
 * @param heldUntil until when the lease is held unless it is renewed; {@code null} when there is no holder
 * @param past the recorded decisions and terms
 * @param group the group that the lease belongs to; {@code null} if it is in none
 */
public record ElectionView(
        ObjectKey key,
        @Nullable Lease lease,
        StrategyChoice strategy,
        List<Standing> candidates,
        List<String> problems,
        @Nullable Instant renewedAt,
        @Nullable Instant heldUntil,
        Past past,
        @Nullable LeaseGroup group) {

    /** Returns the index of the shard that is led by this lease; empty if it leads none. */
    public OptionalInt shard() {
        return group == null ? OptionalInt.empty() : group.indexOf(key);
    }

    /** Returns whether a family of leases that owns the same key keeps the lease closed, so that no process is to lead it. */
    public boolean retired() {
        return lease != null && lease.retired();
    }

    /**
     * Returns since when no process leads, as far as is known at an instant of this process's wall clock; {@code null} while one does. The holder
     * of a lease that has expired is known to have led until its last renewal.
     */
    public @Nullable Instant vacantSinceAt(Instant now) {
        return past.vacantSince() == null && holdingAt(now) == Holding.EXPIRED ? renewedAt : past.vacantSince();
    }

    /** Returns for how long no process has led until an instant of this process's wall clock. */
    public Duration vacantAt(Instant now) {
        Instant since = vacantSinceAt(now);
        return past.vacant().plus(since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now));
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
        return heldUntil == null || now.isBefore(heldUntil) ? Holding.LEADS : Holding.EXPIRED;
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
     * What has been decided and seen.
     *
     * @param decisions the last decisions, newest first
     * @param terms the last terms that were seen, oldest first; the last one may still run
     * @param knownSince since when no term is missing in them; {@code null} if nothing has been seen
     * @param vacant for how long no process has led in all that was seen, without the time since {@code vacantSince}
     * @param vacantSince since when no process leads; {@code null} while a term runs, though its lease may have expired
     */
    public record Past(
            List<PastDecision> decisions,
            List<PastTerm> terms,
            @Nullable Instant knownSince,
            Duration vacant,
            @Nullable Instant vacantSince) {}

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
     * @param from since when: when it was seen to begin, or, if the lease wasn't observed then, the acquire time of its record
     * @param until until when it is known to have lasted; {@code null} while it runs
     */
    public record PastTerm(
            String holder, Instant from, @Nullable Instant until) {}
}
