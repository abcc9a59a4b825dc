package io.cle.samples.narration;

import java.util.Locale;

/** The time since the demo began. Thread-safe. */
public final class Stopwatch {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long start = System.nanoTime();

    /** Returns the nanoseconds since the start. */
    public long now() {
        return System.nanoTime() - start;
    }

    /** Formats nanoseconds as milliseconds. */
    public static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,d", Math.round((double) nanos / NANOS_PER_MILLI));
    }
}
