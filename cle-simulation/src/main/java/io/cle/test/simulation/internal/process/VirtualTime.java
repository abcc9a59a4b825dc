package io.cle.test.simulation.internal.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * True time, which no simulated process can see, and its queue of tasks. Tasks due at the same instant run in the order in
 * which they were scheduled. Single-threaded.
 */
public final class VirtualTime {

    private static final int FEW = 32;

    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private final Deque<Due> atOnce = new ArrayDeque<>();
    private long now;
    private long order;
    private int cancels;

    /** A scheduled task. */
    public final class Due implements Comparable<Due> {
        private final long at;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        private Due(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }

        /** Cancels it. Most timers are cancelled long before they are due, and must not fill the queue. */
        public void cancel() {
            cancelled = true;
            cancels++;
            if (cancels > FEW && cancels > due.size() / 2) {
                cancels = 0;
                due.removeIf(other -> other.cancelled);
            }
        }
    }

    /** Nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** The queue size, including recently cancelled tasks. */
    public int size() {
        return due.size() + atOnce.size();
    }

    /** Schedules a task after a delay; if it isn't positive, at once, after what is due already. */
    public Due after(long nanos, Runnable task) {
        Due next = new Due(nanos > 0 ? now + nanos : now, order++, task);
        if (nanos > 0) {
            due.add(next);
        } else {
            atOnce.add(next);
        }
        return next;
    }

    /** Advances to the next task due before an instant and runs it; returns false if there is none. */
    public boolean advance(long until) {
        while (true) {
            Due next = next(until);
            if (next == null) {
                now = until;
                return false;
            }
            if (!next.cancelled) {
                now = next.at;
                next.task.run();
                return true;
            }
        }
    }

    /** Most tasks are due at once. They have a queue of their own, which needs no sorting. */
    private @Nullable Due next(long until) {
        Due later = due.peek();
        Due first = atOnce.peek();
        if (first != null && (later == null || first.compareTo(later) < 0)) {
            return first.at > until ? null : atOnce.remove();
        }
        return later == null || later.at > until ? null : due.remove();
    }
}
