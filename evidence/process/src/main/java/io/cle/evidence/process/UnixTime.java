package io.cle.evidence.process;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The wall clock in nanoseconds, which all processes on this machine share. */
public final class UnixTime {

    private UnixTime() {}

    public static long now() {
        return of(Instant.now());
    }

    public static long of(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }
}
