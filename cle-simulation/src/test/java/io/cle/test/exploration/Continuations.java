package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.List;

/**
 * How long it takes from a state to the goal without further faults.
 *
 * <p>A state's continuation always takes the first move that is due. The time from a state is therefore the time from its successor, plus the
 * tick between them, if any, and a continuation is followed only until it reaches a state whose time is known. If it reaches one of its own
 * states, it loops and never reaches the goal.
 *
 * <p>States with equal fingerprints are treated as the same, although these may rename processes that are alike: their
 * continuations differ only in the names.
 */
final class Continuations<S> {

    /** The most states whose time is kept, about a gigabyte; continuations from others are followed until they reach one of these. */
    private static final int MOST_KNOWN = 1 << 24;

    /** More moves than any continuation without a loop has. */
    private static final int MOST_MOVES = 1000;

    /** The time from a state whose continuation is being followed. */
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
     * Returns the ticks to the goal.
     *
     * @param fingerprintOfFrom by which the explorer knows the state
     * @throws StateSpace.Violation if that exceeds the bound, or a state on the way breaks a rule
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
                        + " ever without faults: the continuation loops through " + space.describe(state));
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
