package io.cle.runtime.coordinator;

import java.time.Instant;
import java.util.List;

import io.cle.election.CandidateObservation;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.strategy.StrategyChoice;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator knows of one lease, for its endpoint (coordinator's rule 9).
 *
 * @param key the lease
 * @param lease the lease as last seen; {@code null} when there is none
 * @param strategy by which it's elected
 * @param candidates best first
 * @param reason of the last decision; {@code null} before the first
 * @param decidedAt when that was; {@code null} before the first
 * @param problems what isn't as it should be with the lease, its candidates or its configuration
 */
public record ElectionView(
        ObjectKey key,
        @Nullable Lease lease,
        StrategyChoice strategy,
        List<Standing> candidates,
        @Nullable String reason,
        @Nullable Instant decidedAt,
        List<String> problems) {

    /**
     * Where a candidate stands.
     *
     * @param answer whether it has acknowledged lately
     */
    public record Standing(Candidate candidate, CandidateObservation.Answer answer) {}
}
