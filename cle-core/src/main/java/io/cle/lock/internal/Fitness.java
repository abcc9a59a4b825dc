package io.cle.lock.internal;

import java.util.Collection;
import java.util.Set;

import io.cle.Timings;

import static io.cle.lock.internal.LockState.LONG_AGO;
import static io.cle.lock.internal.LockState.NEVER;

/**
 * Decides whether a process is a candidate, given that its application may declare it unfit to lead. An unfit standby withdraws. An unfit leader
 * hands over
 * if there is another candidate, and continues to lead otherwise: a leader in poor health is better than none. A process moves leadership for
 * this reason at most once per lease duration, however often its fitness changes.
 *
 * <p>Pure: takes the time as an argument, in monotonic nanoseconds. Immutable.
 *
 * @param fit whether the application says that this process may lead
 * @param unfitSince since when it doesn't; meaningless while it does
 * @param withdrawnAt when this process last withdrew because it was unfit
 * @param beganAt when its last term began
 * @param askedAt when the other candidates were last asked for
 * @param handedOver whether it has handed over, and no other process was seen to lead since
 * @param lastResort whether it leads although it is unfit, or last did: it stays a candidate until another process leads
 * @param passedOver the other candidates when it handed over; it doesn't hand over to them again
 */
public record Fitness(
        boolean fit,
        long unfitSince,
        long withdrawnAt,
        long beganAt,
        long askedAt,
        boolean handedOver,
        boolean lastResort,
        Set<String> passedOver) {

    /** The fitness of a process that is fit and hasn't joined yet. */
    public static final Fitness INITIAL =
            new Fitness(true, LONG_AGO, LONG_AGO, LONG_AGO, LONG_AGO, false, false, Set.of());

    /** What the lock does next. */
    public enum Decision {
        /** Do nothing until {@link Step#wakeAt()} or until something changes. */
        STAY,
        /** To become a candidate. */
        JOIN,
        /** To withdraw the candidacy. */
        WITHDRAW,
        /** To ask the API server for the other candidates; {@link #othersFound} decides by the answer. */
        FIND_OTHERS,
        /** To end the term, release the lease, and withdraw the candidacy. */
        HAND_OVER
    }

    /**
     * A decision.
     *
     * @param next what is known once it is carried out
     * @param wakeAt when to decide again, at the latest; {@link LockState#NEVER} if nothing changes by time alone
     */
    public record Step(Decision decision, Fitness next, long wakeAt) {}

    /** The part that this process takes in the election. */
    public enum Standing {
        /** It leads. */
        LEADS,
        /** It is a candidate, or ends a term. */
        CANDIDATE,
        /** It isn't a candidate. */
        NONE
    }

    /** Copies the set. */
    public Fitness {
        passedOver = Set.copyOf(passedOver);
    }

    /** The application says whether this process is fit to lead. */
    public Fitness changed(boolean nowFit, long now) {
        if (nowFit == fit) {
            return this;
        }
        return nowFit
                ? new Fitness(true, unfitSince, withdrawnAt, beganAt, askedAt, false, false, Set.of())
                : new Fitness(false, now, withdrawnAt, beganAt, askedAt, false, false, Set.of());
    }

    /** A term of this process has begun. */
    public Fitness termBegan(long now) {
        return new Fitness(fit, unfitSince, withdrawnAt, now, askedAt, handedOver, lastResort, passedOver);
    }

    /**
     * Decides.
     *
     * @param standing what this process is
     * @param ledByAnother whether the lease names another process as its holder
     * @param othersCanBeFound whether the other candidates can be asked for: they announce themselves for a coordinated lease only
     */
    public Step next(Standing standing, boolean ledByAnother, boolean othersCanBeFound, Timings timings, long now) {
        return switch (standing) {
            case NONE ->
                outside(ledByAnother, withdrawnAt + timings.leaseDuration().toNanos(), now);
            case CANDIDATE ->
                fit || (lastResort && !ledByAnother)
                        ? stay(NEVER)
                        : new Step(Decision.WITHDRAW, withdrawn(false, Set.of(), now), NEVER);
            case LEADS -> fit ? stay(NEVER) : asLastResort(askedAt).leading(othersCanBeFound, timings, now);
        };
    }

    private Step outside(boolean ledByAnother, long mayJoinAt, long now) {
        if (!fit && ledByAnother) {
            return new Step(Decision.STAY, withdrawn(false, passedOver, withdrawnAt), NEVER);
        }
        if (!fit && !handedOver) {
            return stay(NEVER);
        }
        if (now < mayJoinAt) {
            return stay(mayJoinAt);
        }
        return new Step(Decision.JOIN, fit ? this : asLastResort(askedAt), NEVER);
    }

    private Fitness asLastResort(long asked) {
        return new Fitness(fit, unfitSince, withdrawnAt, beganAt, asked, false, true, passedOver);
    }

    /**
     * Asks for the other candidates only once the process was unfit for a retry period: a process that is being stopped refuses traffic first, too.
     */
    private Step leading(boolean othersCanBeFound, Timings timings, long now) {
        if (!othersCanBeFound) {
            return stay(NEVER);
        }
        long at = Math.max(
                unfitSince + timings.retryPeriod().toNanos(),
                Math.max(beganAt, askedAt) + timings.leaseDuration().toNanos());
        if (now < at) {
            return stay(at);
        }
        return new Step(Decision.FIND_OTHERS, asLastResort(now), NEVER);
    }

    /**
     * Decides whether to hand over, given the other candidates.
     *
     * @param standing what this process is by now
     * @param others the other candidates for the lease
     */
    public Step othersFound(Standing standing, Collection<String> others, long now) {
        if (fit || standing != Standing.LEADS || passedOver.containsAll(others)) {
            return stay(NEVER);
        }
        return new Step(Decision.HAND_OVER, withdrawn(true, Set.copyOf(others), now), NEVER);
    }

    private Fitness withdrawn(boolean handsOver, Set<String> known, long at) {
        return new Fitness(fit, unfitSince, at, beganAt, askedAt, handsOver, false, known);
    }

    private Step stay(long wakeAt) {
        return new Step(Decision.STAY, this, wakeAt);
    }
}
