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
 * @param strategy the strategy of its election
 * @param candidates best first
 * @param problems problems of the lease, its candidates or its configuration
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

    /** Returns the index of this lease's shard; empty if the lease isn't a shard. */
    public OptionalInt shard() {
        return group == null ? OptionalInt.empty() : group.indexOf(key);
    }

    /** Returns whether the lease is closed because another family of leases owns its key, so that no process is to hold it. */
    public boolean retired() {
        return lease != null && lease.retired();
    }

    /**
     * Returns since when no process has led, as known at an instant of this process's wall clock; {@code null} while one leads. The holder of an
     * expired lease is known to have led until its last renewal.
     */
    public @Nullable Instant vacantSinceAt(Instant now) {
        return past.vacantSince() == null && holdingAt(now) == Holding.EXPIRED ? renewedAt : past.vacantSince();
    }

    /** Returns the total time without a leader until an instant of this process's wall clock. */
    public Duration vacantAt(Instant now) {
        Instant since = vacantSinceAt(now);
        return past.vacant().plus(since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now));
    }

    /** The status of the lease's holder. */
    public enum Holding {
        /** The lease has no holder. */
        NONE,
        /** The holder was elected and hasn't begun its term: no process leads. */
        ELECTED,
        /** The holder leads. */
        LEADS,
        /** The lease has expired. */
        EXPIRED
    }

    /** Returns the holder's status, as far as it was observed, at an instant of this process's wall clock. */
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
     * @param heldOffUntil until when it ranks below all others, because it was elected and didn't begin its term; {@code null} if it doesn't
     */
    public record Standing(
            Candidate candidate,
            CandidateObservation.Answer answer,
            @Nullable Instant acknowledgedAt,
            @Nullable Instant heldOffUntil) {}

    /**
     * The recorded decisions and terms.
     *
     * @param decisions the last decisions, newest first
     * @param terms the last observed terms, oldest first; the last one may still run
     * @param knownSince since when {@code terms} is complete; {@code null} if nothing has been observed
     * @param vacant the total observed time without a leader, excluding the time since {@code vacantSince}
     * @param vacantSince since when no process has led; {@code null} while a term runs, though its lease may have expired
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
     * @param time when it was first made; repetitions of the same decision are ignored
     * @param reason the reason, for display
     */
    public record PastDecision(Instant time, String reason) {}

    /**
     * A term.
     *
     * @param holder the leader
     * @param from its observed beginning; if the lease wasn't observed then, the acquire time in the Lease
     * @param until until when it is known to have lasted; {@code null} while it runs
     */
    public record PastTerm(
            String holder, Instant from, @Nullable Instant until) {}
}
