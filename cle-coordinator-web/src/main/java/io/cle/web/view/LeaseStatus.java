package io.cle.web.view;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.Holding;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.model.internal.Lease;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The status of a lease for people. Changes only when something happens, not because time passes.
 *
 * @param state the state
 * @param since since when the leader has led, or no process has led; {@code null} if unknown
 * @param waitingFor what has to happen before a process leads; {@code null} while one leads
 * @param next the candidate that would follow the leader, or is about to take over; {@code null} if there is none, or if none is elected
 * @param problems what needs attention although a process leads
 */
record LeaseStatus(
        State state,
        @Nullable Instant since,
        @Nullable String waitingFor,
        @Nullable String next,
        List<String> problems) {

    /** The divisor of the lease duration after which to warn about a leader that hasn't renewed: it has missed about two renewals. */
    private static final int LATE_DIVISOR = 2;

    /** The states of a lease, the most urgent for an administrator first. */
    enum State {
        /** No process leads, and no election is about to change that. */
        NO_LEADER,
        /** No process leads yet; candidates are being pinged, or the elected one is about to begin its term. */
        ELECTING,
        /** The leader was asked to yield to a better candidate. */
        HANDING_OVER,
        /** A process leads, and something about the lease needs attention. */
        WARNING,
        /** The leader wasn't elected by a coordinator, or no coordinator may elect. */
        LEFT_ALONE,
        /** The elected process leads. */
        LED,
        /** Another number of shards is effective, so that no process is to lead. */
        RETIRED
    }

    /** Returns the status of a lease at an instant of the coordinator's wall clock. */
    static LeaseStatus of(ElectionView view, ElectionPolicy policy, Instant now) {
        if (view.retired()) {
            return new LeaseStatus(State.RETIRED, view.vacantSinceAt(now), null, null, List.of());
        }
        boolean led = view.holdingAt(now) == Holding.LEADS;
        List<String> problems = problems(view, led, now);
        State state =
                led ? stateOfLed(view, problems) : isElecting(view, policy, now) ? State.ELECTING : State.NO_LEADER;
        boolean beginning = state == State.ELECTING && view.holdingAt(now) == Holding.ELECTED;
        return new LeaseStatus(
                state,
                led || beginning ? ledSince(view) : view.vacantSinceAt(now),
                led ? null : waitingFor(view, now),
                next(view),
                problems);
    }

    private static State stateOfLed(ElectionView view, List<String> problems) {
        Lease lease = view.lease();
        if (lease != null && lease.endOfTerm()) {
            return State.HANDING_OVER;
        }
        if (!problems.isEmpty()) {
            return State.WARNING;
        }
        return lease == null || !wasElected(lease, view) || !isCoordinated(view) ? State.LEFT_ALONE : State.LED;
    }

    /**
     * Whether the holder was elected. A manual edit of the holder may leave the former one's {@code elected-by}; the new holder then has
     * neither a term that follows our rules nor a candidate.
     */
    private static boolean wasElected(Lease lease, ElectionView view) {
        return lease.electedBy() != null
                && (lease.confirmed()
                        || view.candidates().stream()
                                .anyMatch(standing ->
                                        lease.heldBy(standing.candidate().identity())));
    }

    static boolean isCoordinated(ElectionView view) {
        ElectionStrategy strategy = view.strategy().strategy();
        return strategy != null && strategy.coordinates();
    }

    /** An election takes no longer than candidates have to acknowledge; after twice that time, something is wrong. */
    private static boolean isElecting(ElectionView view, ElectionPolicy policy, Instant now) {
        // The lease of a dead leader is held until it expires.
        Instant since = switch (view.holdingAt(now)) {
            case EXPIRED -> view.heldUntil();
            case ELECTED -> view.renewedAt();
            default -> view.vacantSinceAt(now);
        };
        return isCoordinated(view)
                && view.candidates().stream().anyMatch(LeaseStatus::answers)
                && (since == null || now.isBefore(since.plus(policy.ackTimeout().multipliedBy(2))));
    }

    private static boolean answers(Standing candidate) {
        return candidate.answer() != Answer.SILENT;
    }

    private static List<String> problems(ElectionView view, boolean led, Instant now) {
        Lease lease = view.lease();
        Instant renewed = view.renewedAt();
        boolean late = led
                && lease != null
                && renewed != null
                && now.isAfter(renewed.plus(lease.leaseDuration().dividedBy(LATE_DIVISOR)));
        Stream<String> missed = late
                ? Stream.of("the leader has missed renewals; the lease expires at " + view.heldUntil())
                : Stream.of();
        return Stream.concat(missed, view.problems().stream()).toList();
    }

    private static @Nullable Instant ledSince(ElectionView view) {
        Instant acquired = view.lease() == null ? null : view.lease().acquireTime();
        return view.past().terms().stream()
                .filter(term -> term.until() == null)
                .map(PastTerm::from)
                .findFirst()
                .orElse(acquired);
    }

    private static @Nullable String next(ElectionView view) {
        Lease lease = view.lease();
        if (lease != null && lease.endOfTerm() && lease.preferredHolder() != null) {
            return lease.preferredHolder();
        }
        if (!isCoordinated(view)) {
            return null;
        }
        return view.candidates().stream()
                .filter(LeaseStatus::answers)
                .map(standing -> standing.candidate().identity())
                .filter(identity -> lease == null || !identity.equals(lease.holder()))
                .findFirst()
                .orElse(null);
    }

    private static String waitingFor(ElectionView view, Instant now) {
        Lease lease = view.lease();
        if (view.holdingAt(now) == Holding.ELECTED && lease != null) {
            return lease.holder() + ", which was elected and hasn't begun its term";
        }
        if (view.candidates().isEmpty()) {
            return "a candidate: there is none";
        }
        if (view.strategy().strategy() == null && view.strategy().problem() != null) {
            return "another strategy: " + view.strategy().problem();
        }
        if (!isCoordinated(view)) {
            return "a candidate that acquires the lease itself: no coordinator elects by "
                    + view.strategy().name();
        }
        if (view.candidates().stream().noneMatch(LeaseStatus::answers)) {
            return "a candidate that acknowledges: none of " + view.candidates().size() + " does";
        }
        return view.past().decisions().isEmpty()
                ? "the coordinator's decision"
                : "the election: " + view.past().decisions().get(0).reason();
    }
}
