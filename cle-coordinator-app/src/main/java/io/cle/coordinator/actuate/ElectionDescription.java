package io.cle.coordinator.actuate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.cle.model.Candidate;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import io.cle.runtime.internal.coordinator.ElectionView;
import io.cle.web.view.Span;
import io.cle.web.view.TimeLine;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint shows of one lease. Absent fields are left out.
 *
 * @param holder who holds the lease
 * @param holding what the holder is: {@code leads}, {@code elected} (and hasn't begun its term: no process leads), {@code expired}, or
 *     {@code none} where there is no holder
 * @param electedBy who elected the holder; absent where it took the lease itself
 * @param endOfTerm whether the holder has been asked to yield
 * @param preferredHolder to whom
 * @param acquireTime when the holder acquired the lease, by its clock
 * @param renewTime when the holder last renewed, by its clock
 * @param leaseDuration how long after a renewal the lease expires, in seconds
 * @param transitions how often the holder has changed
 * @param strategy by which it is elected, and who says so
 * @param candidates best first
 * @param formerCandidates candidates that there were and are no more, the last one first: they have withdrawn, or were deleted
 * @param history who has led, and for how long no process has, as far as this replica knows
 * @param lastDecision what the coordinator has decided last; absent before the first, and on a standby
 * @param problems what isn't as it should be
 */
public record ElectionDescription(
        @Nullable String holder,
        String holding,
        @Nullable String electedBy,
        boolean endOfTerm,
        @Nullable String preferredHolder,
        @Nullable Instant acquireTime,
        @Nullable Instant renewTime,
        @Nullable Long leaseDuration,
        @Nullable Integer transitions,
        StrategyDescription strategy,
        List<CandidateDescription> candidates,
        List<ElectionView.FormerCandidate> formerCandidates,
        History history,
        @Nullable LastDecision lastDecision,
        List<String> problems) {

    /**
     * Terms and gaps. A term is counted until its holder released the lease or handed it over, or else until its last renewal.
     *
     * @param knownSince since when no term and no gap is missing
     * @param ledPercent the share of the time since then in which a process has led, in percent
     * @param withoutLeader for how long no process has, in seconds
     * @param withoutLeaderSince since when no process leads; absent while one does
     * @param terms the last terms, oldest first; one without a holder is a time in which this replica couldn't observe the lease
     */
    public record History(
            Instant knownSince,
            double ledPercent,
            double withoutLeader,
            @Nullable Instant withoutLeaderSince,
            List<ElectionView.PastTerm> terms) {

        private static History of(ElectionView view, Instant now) {
            TimeLine line = TimeLine.of(view, now, Span.ALL);
            return new History(
                    line.knownSince(),
                    line.ledThousandths() / 1000.0,
                    line.vacant().toMillis() / 1000.0,
                    view.vacantSinceAt(now),
                    view.terms());
        }
    }

    /**
     * A strategy.
     *
     * @param name as it was asked for
     * @param source who asks for it
     * @param problem why it elects no candidate; absent when it does
     */
    public record StrategyDescription(
            String name, String source, @Nullable String problem) {}

    /**
     * A candidate.
     *
     * @param rank 1 for the best
     * @param answer whether it has acknowledged: {@code acknowledged}, {@code pending}, {@code silent} or {@code unasked}
     * @param heldOffUntil until when all others come before it, because it was elected and didn't begin its term
     */
    public record CandidateDescription(
            int rank,
            String name,
            @Nullable String binaryVersion,
            @Nullable String compatibilityVersion,
            @Nullable Integer priority,
            String strategy,
            String answer,
            @Nullable Instant renewTime,
            @Nullable Instant since,
            @Nullable String pod,
            @Nullable Instant heldOffUntil) {}

    /**
     * A decision.
     *
     * @param reason why it was made (safety.md#reasons)
     * @param time when
     */
    public record LastDecision(String reason, @Nullable Instant time) {}

    static ElectionDescription of(ElectionView view, Instant now) {
        Lease lease = view.lease();
        String reason = view.reason();
        return new ElectionDescription(
                lease == null ? null : lease.holder(),
                view.holdingAt(now).name().toLowerCase(Locale.ROOT),
                lease == null ? null : lease.electedBy(),
                lease != null && lease.endOfTerm(),
                lease == null ? null : lease.preferredHolder(),
                lease == null ? null : lease.acquireTime(),
                lease == null ? null : lease.renewTime(),
                lease == null ? null : lease.leaseDuration().toSeconds(),
                lease == null ? null : lease.transitions(),
                new StrategyDescription(
                        view.strategy().name(),
                        view.strategy().source().text(),
                        view.strategy().problem()),
                candidates(view.candidates()),
                view.gone(),
                History.of(view, now),
                reason == null ? null : new LastDecision(reason, view.decidedAt()),
                view.problems());
    }

    private static List<CandidateDescription> candidates(List<ElectionView.Standing> standings) {
        List<CandidateDescription> described = new ArrayList<>();
        for (ElectionView.Standing standing : standings) {
            described.add(candidate(described.size() + 1, standing));
        }
        return List.copyOf(described);
    }

    private static CandidateDescription candidate(int rank, ElectionView.Standing standing) {
        Candidate candidate = standing.candidate();
        PodRef pod = candidate.pod();
        return new CandidateDescription(
                rank,
                candidate.identity(),
                text(candidate.binaryVersion()),
                text(candidate.compatibilityVersion()),
                candidate.priority(),
                candidate.strategy(),
                standing.answer().name().toLowerCase(Locale.ROOT),
                candidate.renewTime(),
                candidate.creationTime(),
                pod == null ? null : pod.key().toString(),
                standing.heldOffUntil());
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
