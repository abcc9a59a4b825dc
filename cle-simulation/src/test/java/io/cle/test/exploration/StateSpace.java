package io.cle.test.exploration;

import java.util.List;

/**
 * What an {@link Explorer} explores: an initial state and the successors of each.
 *
 * @param <S> a state; never changed once returned
 */
interface StateSpace<S> {

    /** An illegal state. */
    final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1;

        Violation(String message) {
            super(message, null, false, false);
        }
    }

    /** A violation, and the move that leads to it. */
    final class ViolatedBy extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Move move;

        ViolatedBy(Move move, Violation violation) {
            super(violation.getMessage(), null, false, false);
            this.move = move;
        }

        Move move() {
            return move;
        }
    }

    /** A successor, and the move to it. */
    record Successor<S>(Move move, S state) {}

    /**
     * The initial state.
     *
     * @throws Violation if it breaks a rule
     */
    S initial();

    /**
     * Returns the successors of a state.
     *
     * @throws ViolatedBy if one breaks a rule
     */
    List<Successor<S>> successors(S state);

    /**
     * Returns the state after a move.
     *
     * @throws Violation if it breaks a rule
     */
    S next(S state, Move move);

    Fingerprint fingerprint(S state);

    /** What is reached once there are no faults any more. */
    String goal();

    /** Whether a state of {@link #withoutFaults} reaches it. */
    boolean reachesGoal(S state);

    /**
     * Returns the state with all faults ended for good. It is the same object if it reaches the goal, or if it has no faults
     * already and its two fingerprints are equal.
     *
     * @throws Violation if it breaks a rule
     */
    S withoutFaults(S from);

    /**
     * Returns the state after the first move that is due in a state without faults.
     *
     * @throws Violation if it breaks a rule
     */
    S nextWithoutFaults(S state);

    /** Like {@link #fingerprint}, for a state without faults: the horizon makes no difference. */
    Fingerprint fingerprintWithoutFaults(S state);

    /** How many ticks have passed. */
    int tick(S state);

    /** For a person. */
    String describe(S state);

    /** For a person. */
    String describe(Move move, S before);
}
