package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.PriorityQueue;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;

/**
 * An event loop on virtual time, run by the test's own thread: nothing happens until {@link #runReady()} or
 * {@link #advance(Duration)}, and then in a fixed order.
 */
public final class VirtualLoop implements EventLoop {

    /** More steps than any test takes; an endless loop fails instead of hanging. */
    private static final int MAX_STEPS = 100_000;

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private record Due(long at, long order, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long now;
    private long order;

    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Instant wall() {
            return START.plusNanos(now).truncatedTo(ChronoUnit.MICROS);
        }
    };

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public void execute(Runnable task) {
        queue.add(new Due(now, order++, task));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Due due = new Due(now + Math.max(0, delay.toNanos()), order++, task);
        queue.add(due);
        return () -> queue.remove(due);
    }

    /** The number of pending tasks, including those due later. */
    public int pending() {
        return queue.size();
    }

    /** Runs due tasks, including tasks that become due while they run. */
    public void runReady() {
        advance(Duration.ZERO);
    }

    /** Advances time, and runs tasks as they become due. */
    public void advance(Duration duration) {
        long until = now + duration.toNanos();
        int steps = 0;
        while (!queue.isEmpty() && queue.peek().at() <= until) {
            if (++steps > MAX_STEPS) {
                throw new AssertionError("the loop doesn't settle");
            }
            Due due = queue.remove();
            now = Math.max(now, due.at());
            due.task().run();
        }
        now = until;
    }
}
