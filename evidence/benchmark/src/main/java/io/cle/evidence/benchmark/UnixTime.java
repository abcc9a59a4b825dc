package io.cle.evidence.benchmark;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The wall clock in nanoseconds, which all processes of this machine share. */
final class UnixTime {

    private UnixTime() {}

    static long now() {
        return of(Instant.now());
    }

    static long of(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }
}
