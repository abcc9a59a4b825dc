package io.cle.web.view;

import java.time.Instant;
import java.util.List;

import io.cle.election.CandidateObservation;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.strategy.StrategyChoice;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator knows of one lease. All instants are by the coordinator's clock, unless they are the {@link Lease}'s or the
 * {@link Candidate}'s own.
 *
 * @param key the lease
 * @param lease the lease as last seen; {@code null} when there is none
 * @param strategy by which it is elected
 * @param candidates best first
 * @param problems what isn't as it should be with the lease, its candidates or its configuration
 * @param renewedAt when the lease was last seen to be renewed; {@code null} when there is no holder
 * @param heldUntil until when the lease is held unless it is renewed; {@code null} when there is no holder
 * @param decisions the last decisions, newest first
 * @param terms the terms that were seen, oldest first; the last one may still run
 */
public record LeaseSnapshot(
        ObjectKey key,
        @Nullable Lease lease,
        StrategyChoice strategy,
        List<Standing> candidates,
        List<String> problems,
        @Nullable Instant renewedAt,
        @Nullable Instant heldUntil,
        List<PastDecision> decisions,
        List<PastTerm> terms) {

    /**
     * Where a candidate stands.
     *
     * @param answer whether it has acknowledged lately
     * @param acknowledgedAt when it was last seen to renew or acknowledge; {@code null} when it wasn't
     */
    public record Standing(
            Candidate candidate,
            CandidateObservation.Answer answer,
            @Nullable Instant acknowledgedAt) {}

    /**
     * A decision.
     *
     * @param time when it was first made; the same one made again doesn't count
     * @param reason why, for people
     */
    public record PastDecision(Instant time, String reason) {}

    /**
     * A term.
     *
     * @param holder who led
     * @param from since when it was seen
     * @param until when it was seen to have ended; {@code null} while it runs
     * @param begunBefore whether the term had begun before it was first seen
     */
    public record PastTerm(
            String holder, Instant from, @Nullable Instant until, boolean begunBefore) {}
}
