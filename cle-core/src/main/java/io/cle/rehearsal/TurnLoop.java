package io.cle.rehearsal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.PriorityQueue;

import io.cle.runtime.Clock;
import io.cle.runtime.EventLoop;

/** An event loop without a thread, on a time of its own, which only goes on when it is told to. Confined to one thread. */
final class TurnLoop implements EventLoop, Clock {

    /** Longer than any jitter, shorter than anything that is done again and again. */
    private static final Duration MOMENT = Duration.ofMillis(200);

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::turn));
    private long now;
    private long turn;

    private record Due(long at, long turn, Runnable task) {}

    @Override
    public Clock clock() {
        return this;
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant wall() {
        return Instant.EPOCH.plusNanos(now).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Due due = new Due(now + Math.max(0, delay.toNanos()), turn++, task);
        queue.add(due);
        return () -> queue.remove(due);
    }

    /** Lets a moment pass, and does what is due in it. */
    void settle() {
        long end = now + MOMENT.toNanos();
        for (Due due = queue.peek(); due != null && due.at() <= end; due = queue.peek()) {
            queue.remove(due);
            now = Math.max(now, due.at());
            due.task().run();
        }
        now = end;
    }
}
