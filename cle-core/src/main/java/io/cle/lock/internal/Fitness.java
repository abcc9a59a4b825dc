package io.cle.lock.internal;

import java.util.Set;

import io.cle.Timings;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.internal.LockState.LONG_AGO;
import static io.cle.lock.internal.LockState.NEVER;

/**
 * Decides whether a process is a candidate, given that its application may declare it unfit to lead. An unfit standby withdraws. An unfit leader
 * hands over if there is another candidate, and continues to lead otherwise: a leader in poor health is better than none. A process hands over
 * for this reason at most once per lease duration, however often its fitness changes.
 *
 * <p>Pure: takes the time as an argument, in monotonic nanoseconds. Immutable.
 *
 * @param problem why the application says that this process may not lead; {@code null} if it may
 * @param unfitSince since when it is unfit; meaningless while it is fit
 * @param withdrawnAt when this process last withdrew because it was unfit
 * @param askedAt when the other candidates were last listed
 * @param handedOver whether it has handed over, and no other process was observed to lead since
 * @param lastResort whether it leads although it is unfit, or did when it last led: it stays a candidate until another process leads
 * @param passedOver the other candidates when it handed over; it doesn't hand over to them again
 */
record Fitness(
        @Nullable String problem,
        long unfitSince,
        long withdrawnAt,
        long askedAt,
        boolean handedOver,
        boolean lastResort,
        Set<String> passedOver) {

    /** The fitness of a process that is fit and hasn't joined yet. */
    static final Fitness INITIAL = new Fitness(null, LONG_AGO, LONG_AGO, LONG_AGO, false, false, Set.of());

    /** The next action of the lock. */
    enum Decision {
        /** Do nothing until {@link Step#wakeAt()} or until something changes. */
        STAY,
        /** Become a candidate. */
        JOIN,
        /** Withdraw the candidacy. */
        WITHDRAW,
        /** List the other candidates; {@link #othersFound} decides from the answer. */
        FIND_OTHERS,
        /** End the term, release the lease, and withdraw the candidacy. */
        HAND_OVER
    }

    /**
     * A decision.
     *
     * @param next the state once the decision is carried out
     * @param wakeAt when to decide again, at the latest; {@link LockState#NEVER} if nothing changes by time alone
     */
    record Step(Decision decision, Fitness next, long wakeAt) {}

    /** Copies the set. */
    Fitness {
        passedOver = Set.copyOf(passedOver);
    }

    boolean fit() {
        return problem == null;
    }

    /** Returns the state after the application has declared this process fit ({@code null}) or unfit (the reason). */
    Fitness changed(@Nullable String found, long now) {
        return fit() == (found == null)
                ? new Fitness(found, unfitSince, withdrawnAt, askedAt, handedOver, lastResort, passedOver)
                : new Fitness(found, found == null ? unfitSince : now, withdrawnAt, askedAt, false, false, Set.of());
    }

    /**
     * Decides for a process that isn't a candidate.
     *
     * @param ledByAnother whether the lease names another process as its holder
     */
    Step outside(boolean ledByAnother, Timings timings, long now) {
        long mayJoinAt = withdrawnAt + timings.leaseDuration().toNanos();
        if (!fit() && ledByAnother) {
            return new Step(Decision.STAY, withdrawn(false, passedOver, withdrawnAt), NEVER);
        }
        if (!fit() && !handedOver) {
            return stay(NEVER);
        }
        if (now < mayJoinAt) {
            return stay(mayJoinAt);
        }
        return new Step(Decision.JOIN, fit() ? this : asLastResort(askedAt), NEVER);
    }

    /** Decides for a candidate, and for a process whose term is ending. */
    Step standby(boolean ledByAnother, long now) {
        return fit() || (lastResort && !ledByAnother)
                ? stay(NEVER)
                : new Step(Decision.WITHDRAW, withdrawn(false, Set.of(), now), NEVER);
    }

    /**
     * Decides for a leader. Lists the other candidates only once the process has been unfit for a retry period, because a process that is
     * being stopped refuses traffic first, too.
     *
     * @param beganAt when its term began
     * @param othersCanBeFound whether the other candidates can be listed: they are announced for a coordinated lease only
     */
    Step leader(long beganAt, boolean othersCanBeFound, Timings timings, long now) {
        if (fit()) {
            return stay(NEVER);
        }
        Fitness unfit = asLastResort(askedAt);
        long at = Math.max(
                unfitSince + timings.retryPeriod().toNanos(),
                Math.max(beganAt, askedAt) + timings.leaseDuration().toNanos());
        if (!othersCanBeFound || now < at) {
            return unfit.stay(othersCanBeFound ? at : NEVER);
        }
        return new Step(Decision.FIND_OTHERS, asLastResort(now), NEVER);
    }

    /**
     * Decides whether a leader hands over, given the other candidates.
     *
     * @param others the other candidates for the lease
     */
    Step othersFound(Set<String> others, long now) {
        return fit() || passedOver.containsAll(others)
                ? stay(NEVER)
                : new Step(Decision.HAND_OVER, withdrawn(true, others, now), NEVER);
    }

    private Fitness asLastResort(long asked) {
        return new Fitness(problem, unfitSince, withdrawnAt, asked, false, true, passedOver);
    }

    private Fitness withdrawn(boolean handsOver, Set<String> known, long at) {
        return new Fitness(problem, unfitSince, at, askedAt, handsOver, false, known);
    }

    private Step stay(long wakeAt) {
        return new Step(Decision.STAY, this, wakeAt);
    }
}
