package io.cle.test.exploration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Visits every reachable state, breadth first, so that a violation comes with a shortest history, and follows the continuation
 * of each state without faults. Used once.
 */
final class Explorer<S> {

    private final String name;
    private final StateSpace<S> space;
    private final Continuations<S> continuations;
    private final int mostStates;
    private final Fingerprints visited = new Fingerprints();
    private int[] parents = new int[1 << 16];
    private int[] moves = new int[1 << 16];
    private long transitions;
    private int longestWait;

    /**
     * The result of an exploration.
     *
     * @param complete whether all states up to the horizon were visited, rather than only the first ones
     * @param depth how many moves the longest history has
     * @param longestWait the most ticks without faults until there was a leader
     * @param violation what was violated, with its shortest history; {@code null} if nothing was
     */
    record Result(
            String setting,
            int states,
            long transitions,
            boolean complete,
            int depth,
            int longestWait,
            @Nullable String violation) {

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s: %,d states, %,d transitions, histories of up to %d moves, %s; the goal within %d ticks from"
                            + " each%s",
                    setting,
                    states,
                    transitions,
                    depth,
                    complete ? "complete" : "NOT complete",
                    longestWait,
                    violation == null ? "" : "; VIOLATED: " + violation);
        }
    }

    /**
     * An exploration that has not begun.
     *
     * @param name of what is explored, for a person
     * @param goalWithin within how many ticks without faults the goal must be reached
     * @param mostStates after how many states it ends, complete or not
     */
    Explorer(String name, StateSpace<S> space, int goalWithin, int mostStates) {
        this.name = name;
        this.space = space;
        continuations = new Continuations<>(space, goalWithin);
        this.mostStates = mostStates;
    }

    /** Explores a setting. */
    static Result explore(Setting setting, int mostStates) {
        return new Explorer<>(setting.toString(), new Model(setting), Setting.LEADER_WITHIN, mostStates).run();
    }

    private record Reached<S>(S state, Fingerprint fingerprint, int index, int depth) {}

    Result run() {
        Deque<Reached<S>> frontier = new ArrayDeque<>();
        S initial;
        try {
            initial = space.initial();
        } catch (StateSpace.Violation e) {
            return result(false, 0, e.getMessage());
        }
        Fingerprint first = space.fingerprint(initial);
        remember(first, -1, 0);
        frontier.add(new Reached<>(initial, first, 0, 0));
        int depth = 0;
        while (!frontier.isEmpty()) {
            Reached<S> reached = frontier.remove();
            depth = reached.depth();
            String stuck = followWithoutFaults(reached);
            if (stuck != null) {
                return result(false, depth, stuck + history(reached.index(), null));
            }
            List<StateSpace.Successor<S>> successors;
            try {
                successors = space.successors(reached.state());
            } catch (StateSpace.ViolatedBy e) {
                return result(false, depth, e.getMessage() + history(reached.index(), e.move()));
            }
            for (StateSpace.Successor<S> successor : successors) {
                Move move = successor.move();
                transitions++;
                Fingerprint fingerprint = space.fingerprint(successor.state());
                int index = remember(fingerprint, reached.index(), move.encoded());
                if (index >= 0) {
                    frontier.add(new Reached<>(successor.state(), fingerprint, index, depth + 1));
                }
            }
            if (visited.size() >= mostStates) {
                return result(false, depth, null);
            }
        }
        return result(true, depth, null);
    }

    private Result result(boolean complete, int depth, @Nullable String violation) {
        return new Result(name, visited.size(), transitions, complete, depth, longestWait, violation);
    }

    private @Nullable String followWithoutFaults(Reached<S> reached) {
        try {
            longestWait = Math.max(longestWait, continuations.ticksToGoal(reached.state(), reached.fingerprint()));
            return null;
        } catch (StateSpace.Violation e) {
            return e.getMessage();
        }
    }

    /** The index of a new state; -1 if it was visited before. */
    private int remember(Fingerprint state, int parent, int move) {
        if (!visited.put(state, (byte) 0)) {
            return -1;
        }
        int index = visited.size() - 1;
        if (index == parents.length) {
            parents = Arrays.copyOf(parents, 2 * index);
            moves = Arrays.copyOf(moves, 2 * index);
        }
        parents[index] = parent;
        moves[index] = move;
        return index;
    }

    private String history(int index, @Nullable Move last) {
        List<Move> path = new ArrayList<>();
        if (last != null) {
            path.add(last);
        }
        for (int at = index; at > 0; at = parents[at]) {
            path.add(Move.decoded(moves[at]));
        }
        Collections.reverse(path);
        StringBuilder text = new StringBuilder();
        S state = space.initial();
        text.append("\n    in the beginning: ").append(space.describe(state));
        for (Move move : path) {
            text.append("\n    ").append(space.describe(move, state));
            String before = space.describe(state);
            try {
                state = space.next(state, move);
            } catch (StateSpace.Violation e) {
                return text.append("  => ").append(e.getMessage()).toString();
            }
            String after = space.describe(state);
            if (!after.equals(before)) {
                text.append("  => ").append(after);
            }
        }
        return text.toString();
    }
}
