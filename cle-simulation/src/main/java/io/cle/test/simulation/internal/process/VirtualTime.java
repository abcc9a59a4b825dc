package io.cle.test.simulation.internal.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * True time, which no simulated process can see, and all that is due in it. What is due at the same instant happens in the order in
 * which it was asked for. Single-threaded.
 */
public final class VirtualTime {

    private static final int FEW = 32;

    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private final Deque<Due> atOnce = new ArrayDeque<>();
    private long now;
    private long order;
    private int cancels;

    /** Something that is due. */
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

        /** Cancels it. Most timers are cancelled long before they are due, and must not make the queue a long one. */
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

    /** How much is due, what was cancelled lately included. */
    public int size() {
        return due.size() + atOnce.size();
    }

    /** Schedules a task after so many nanoseconds; if they are not above zero, at once, after what is due already. */
    public Due after(long nanos, Runnable task) {
        Due next = new Due(nanos > 0 ? now + nanos : now, order++, task);
        if (nanos > 0) {
            due.add(next);
        } else {
            atOnce.add(next);
        }
        return next;
    }

    /** Moves on to the next thing that is due before an instant, and does it; false when there is none. */
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

    /** Most of what happens is to happen at once, and has its own queue: putting that in order costs nothing. */
    private @Nullable Due next(long until) {
        Due later = due.peek();
        Due first = atOnce.peek();
        if (first != null && (later == null || first.compareTo(later) < 0)) {
            return first.at > until ? null : atOnce.remove();
        }
        return later == null || later.at > until ? null : due.remove();
    }
}
