package io.cle.runtime.internal.loop;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clocks of this machine. One for the whole process, because instants are compared. Thread-safe. */
final class SystemClock implements Clock {

    static final Clock INSTANCE = new SystemClock();

    /** {@link System#nanoTime()} may begin anywhere, also just before it overflows. */
    private final long origin = System.nanoTime();

    private SystemClock() {}

    @Override
    public long nanos() {
        return System.nanoTime() - origin;
    }

    @Override
    public Instant wall() {
        return Instant.now().truncatedTo(ChronoUnit.MICROS);
    }
}
