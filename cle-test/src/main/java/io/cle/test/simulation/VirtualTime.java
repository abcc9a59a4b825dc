package io.cle.test.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * True time, which no simulated process can see, and all that is due in it. What is due at the same instant happens in the order in
 * which it was asked for. Single-threaded.
 */
final class VirtualTime {

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong((Due d) -> d.at).thenComparingLong(d -> d.order));
    private long now;
    private long order;

    /** Something that is due. */
    static final class Due {
        private final long at;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        private Due(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        /** It shall not happen any more. */
        void cancel() {
            cancelled = true;
        }
    }

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    /** Has a task run after so many nanoseconds; at once, after what is due already, where they aren't above zero. */
    Due after(long nanos, Runnable task) {
        Due next = new Due(nanos > 0 ? now + nanos : now, order++, task);
        due.add(next);
        return next;
    }

    /** Moves on to the next thing that is due before an instant, and does it; false when there is none. */
    boolean advance(long until) {
        while (true) {
            Due next = due.peek();
            if (next == null || next.at > until) {
                now = until;
                return false;
            }
            due.remove();
            if (!next.cancelled) {
                now = next.at;
                next.task.run();
                return true;
            }
        }
    }
}
