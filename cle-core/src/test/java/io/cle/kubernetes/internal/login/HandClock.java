package io.cle.kubernetes.internal.login;

import java.time.Duration;
import java.time.Instant;

import io.cle.loop.internal.Clock;

/** Two clocks that the test moves. */
final class HandClock implements Clock {

    private long nanos = -7;
    private Instant wall = Instant.parse("2026-01-01T00:00:00Z");

    synchronized void advance(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    synchronized void setWall(Instant time) {
        wall = time;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized Instant wall() {
        return wall;
    }
}
