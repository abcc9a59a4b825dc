package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.List;

/**
 * How long it takes from a state to the goal if nothing goes wrong any more.
 *
 * <p>A state's continuation takes the first of the moves that are due, again and again. So the time from a state is the time from its
 * successor and the tick between them, if there is one, and each state has to be followed by one step only: a continuation ends where it
 * reaches a state whose time is known. If it reaches a state of its own, it goes round for ever and never reaches the goal.
 *
 * <p>States count as the same by their fingerprint, which may rename processes that are alike. What follows from one of them follows
 * from the other one with these names, so that the known continuation is one of both.
 */
final class Continuations<S> {

    /** What is known of so many states at most, about a gigabyte; continuations from further ones are followed until they reach one of them. */
    private static final int MOST_KNOWN = 1 << 24;

    /** More moves than any continuation makes whose states differ. */
    private static final int MOST_MOVES = 1000;

    /** Stands for the time from a state whose continuation is being followed. */
    private static final byte UNDER_WAY = -1;

    private final StateSpace<S> space;
    private final int bound;
    private final Fingerprints times = new Fingerprints();

    /**
     * No continuation has been followed yet.
     *
     * @param bound within how many ticks the goal must be reached
     */
    Continuations(StateSpace<S> space, int bound) {
        this.space = space;
        this.bound = bound;
    }

    private record Step(Fingerprint state, int tick) {}

    /**
     * After how many ticks the goal is reached.
     *
     * @param fingerprintOfFrom by which the explorer knows the state
     * @throws StateSpace.Violation if that is later than the bound, or if a state on the way must not be
     */
    int ticksToGoal(S from, Fingerprint fingerprintOfFrom) {
        S state = space.withoutFaults(from);
        int begin = space.tick(state);
        List<Step> steps = new ArrayList<>();
        int rest = 0;
        while (!space.reachesGoal(state)) {
            Fingerprint fingerprint = state == from ? fingerprintOfFrom : space.fingerprintWithoutFaults(state);
            byte known = times.get(fingerprint);
            if (known >= 0) {
                rest = known;
                break;
            }
            if (known == UNDER_WAY) {
                throw new StateSpace.Violation("no " + space.goal()
                        + " ever without faults: the continuation goes round through " + space.describe(state));
            }
            if (space.tick(state) - begin > bound || steps.size() == MOST_MOVES) {
                throw tooLate(steps.size());
            }
            if (times.size() < MOST_KNOWN) {
                times.put(fingerprint, UNDER_WAY);
            }
            steps.add(new Step(fingerprint, space.tick(state)));
            state = space.nextWithoutFaults(state);
        }
        int end = space.tick(state) + rest;
        if (end - begin > bound) {
            throw tooLate(steps.size());
        }
        for (Step step : steps) {
            if (times.get(step.state()) == UNDER_WAY) {
                times.put(step.state(), (byte) (end - step.tick()));
            }
        }
        return end - begin;
    }

    private StateSpace.Violation tooLate(int moves) {
        return new StateSpace.Violation(
                "no " + space.goal() + " within " + bound + " ticks and " + moves + " moves without faults");
    }
}
