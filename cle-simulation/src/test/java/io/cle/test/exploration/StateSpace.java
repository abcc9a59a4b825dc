package io.cle.test.exploration;

import java.util.List;

/**
 * What an {@link Explorer} explores: a beginning, and the states that follow from each.
 *
 * @param <S> a state; never changed once it was given out
 */
interface StateSpace<S> {

    /** A state that must not be. */
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

    /** A state that follows, and by what. */
    record Successor<S>(Move move, S state) {}

    /**
     * Where every history begins.
     *
     * @throws Violation if it can't begin
     */
    S initial();

    /**
     * The states that follow from a state.
     *
     * @throws ViolatedBy if one of them must not be
     */
    List<Successor<S>> successors(S state);

    /**
     * The state that follows by a move.
     *
     * @throws Violation if it must not be
     */
    S next(S state, Move move);

    Fingerprint fingerprint(S state);

    /** What is reached once nothing goes wrong any more, for a person. */
    String goal();

    /** Whether it is reached in a state that {@link #withoutFaults} has given. */
    boolean reachesGoal(S state);

    /**
     * The state in which all faults have ended, and no further one happens. It is the same object if the goal is reached in it, or if that is so already
     * and its two fingerprints are one.
     *
     * @throws Violation if it must not be
     */
    S withoutFaults(S from);

    /**
     * The state that follows from a state without faults by the first move that is due.
     *
     * @throws Violation if it must not be
     */
    S nextWithoutFaults(S state);

    /** As {@link #fingerprint}, of a state without faults: it makes no difference after how many ticks histories end. */
    Fingerprint fingerprintWithoutFaults(S state);

    /** How many ticks have passed. */
    int tick(S state);

    /** For a person. */
    String describe(S state);

    /** For a person. */
    String describe(Move move, S before);
}
