package io.cle.test.exploration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Visits every state that can be reached, breadth first, so that what it finds comes with a shortest history. Used once. */
final class Explorer {

    /** From every how many states the continuation without faults is tried. */
    private static final int SAMPLE_EVERY = 31;

    private final Setting setting;
    private final Model model;
    private final int mostStates;
    private final States visited = new States();
    private int[] parents = new int[1 << 16];
    private int[] moves = new int[1 << 16];
    private long transitions;
    private long sampled;
    private int longestWait;

    /**
     * What an exploration has come to.
     *
     * @param complete whether all states up to the horizon were visited, rather than the first so many
     * @param depth how many moves the longest history has
     * @param longestWait after how many ticks without faults there was a leader, at worst
     * @param violation what must not be and is, with its shortest history; {@code null} if all is well
     */
    record Result(
            Setting setting,
            int states,
            long transitions,
            boolean complete,
            int depth,
            long sampled,
            int longestWait,
            @Nullable String violation) {

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s: %,d states, %,d transitions, histories of up to %d moves, %s; a leader within %d ticks from %,d of"
                            + " them%s",
                    setting,
                    states,
                    transitions,
                    depth,
                    complete ? "complete" : "NOT complete",
                    longestWait,
                    sampled,
                    violation == null ? "" : "; VIOLATED: " + violation);
        }
    }

    /**
     * An exploration that has not begun.
     *
     * @param mostStates after how many states it ends, complete or not
     */
    Explorer(Setting setting, int mostStates) {
        this.setting = setting;
        this.model = new Model(setting);
        this.mostStates = mostStates;
    }

    private record Reached(World world, int index, int depth) {}

    Result run() {
        Deque<Reached> frontier = new ArrayDeque<>();
        World initial = model.initial();
        remember(initial, -1, 0);
        frontier.add(new Reached(initial, 0, 0));
        int depth = 0;
        while (!frontier.isEmpty()) {
            Reached reached = frontier.remove();
            depth = reached.depth();
            String stuck = tryWithoutFaults(reached);
            if (stuck != null) {
                return result(false, depth, stuck + history(reached.index(), null));
            }
            List<Model.Successor> successors;
            try {
                successors = model.successors(reached.world());
            } catch (Model.ViolatedBy e) {
                return result(false, depth, e.getMessage() + history(reached.index(), e.move()));
            }
            for (Model.Successor successor : successors) {
                Move move = successor.move();
                transitions++;
                int index = remember(successor.world(), reached.index(), move.encoded());
                if (index >= 0) {
                    frontier.add(new Reached(successor.world(), index, depth + 1));
                }
            }
            if (visited.size() >= mostStates) {
                return result(false, depth, null);
            }
        }
        return result(true, depth, null);
    }

    private Result result(boolean complete, int depth, @Nullable String violation) {
        return new Result(setting, visited.size(), transitions, complete, depth, sampled, longestWait, violation);
    }

    private @Nullable String tryWithoutFaults(Reached reached) {
        if (reached.index() % SAMPLE_EVERY != 0) {
            return null;
        }
        sampled++;
        try {
            int wait = model.ticksToLeader(reached.world(), Setting.LEADER_WITHIN);
            longestWait = Math.max(longestWait, wait);
            return wait >= 0 ? null : "no leader within " + Setting.LEADER_WITHIN + " ticks without faults";
        } catch (Model.Violation e) {
            return "without faults: " + e.getMessage();
        }
    }

    /** The index of a state that is new; -1 if it was visited before. */
    private int remember(World world, int parent, int move) {
        Fingerprint fingerprint = model.fingerprint(world);
        if (!visited.add(fingerprint.high(), fingerprint.low())) {
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
        World world = model.initial();
        text.append("\n    in the beginning: ").append(model.describe(world));
        for (Move move : path) {
            text.append("\n    ").append(model.describe(move, world));
            String before = model.describe(world);
            try {
                world = model.next(world, move);
            } catch (Model.Violation e) {
                return text.append("  => ").append(e.getMessage()).toString();
            }
            String after = model.describe(world);
            if (!after.equals(before)) {
                text.append("  => ").append(after);
            }
        }
        return text.toString();
    }

    /** A set of 128-bit fingerprints. */
    private static final class States {

        private long[] slots = new long[1 << 17];
        private int size;

        int size() {
            return size;
        }

        boolean add(long high, long low) {
            if (size * 4L > slots.length) {
                grow();
            }
            if (!put(slots, high, low)) {
                return false;
            }
            size++;
            return true;
        }

        private static boolean put(long[] slots, long high, long low) {
            int mask = slots.length / 2 - 1;
            int at = (int) high & mask;
            while (slots[2 * at] != 0 || slots[2 * at + 1] != 0) {
                if (slots[2 * at] == high && slots[2 * at + 1] == low) {
                    return false;
                }
                at = (at + 1) & mask;
            }
            slots[2 * at] = high;
            slots[2 * at + 1] = low;
            return true;
        }

        private void grow() {
            long[] larger = new long[2 * slots.length];
            for (int i = 0; i < slots.length; i += 2) {
                if (slots[i] != 0 || slots[i + 1] != 0) {
                    put(larger, slots[i], slots[i + 1]);
                }
            }
            slots = larger;
        }
    }
}
