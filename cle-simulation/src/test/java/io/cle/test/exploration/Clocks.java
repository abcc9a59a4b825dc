package io.cle.test.exploration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The clocks of the processes and of the coordinator, which is the last one. Each begins at a number of its own, and so do versions:
 * the magnitude of a number says what it is.
 */
final class Clocks {

    /** The first version that the API server gives. */
    static final long FIRST_VERSION = 700_000_000_000L;

    private static final long VERSIONS = 100_000_000L;
    private static final long ORIGIN = 10_000_000_000_000_000L;
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
    private static final long EPOCH_MICROS = EPOCH.getEpochSecond() * 1_000_000;

    /** How far the wall clock of each process is ahead of the one before. */
    private static final long SKEW_MICROS = Duration.ofMinutes(50).toNanos() / 1000;

    private final List<Long> nanosPerTick;
    private final Tokens.Known known = new Tokens.Known();

    Clocks(List<Long> nanosPerTick) {
        this.nanosPerTick = nanosPerTick;
    }

    /** The tokens of records with these clocks. */
    Tokens.Known known() {
        return known;
    }

    /** How many clocks there are: those of the processes, and the coordinator's. */
    int count() {
        return nanosPerTick.size();
    }

    static boolean isVersion(long value) {
        return value >= FIRST_VERSION && value < FIRST_VERSION + VERSIONS;
    }

    /** The monotonic clock of a process at a tick. */
    long nanos(int clock, int tick) {
        return (clock + 1) * ORIGIN + tick * nanosPerTick.get(clock);
    }

    /** The wall clock of a process at a tick, in microseconds; it runs at the rate of the monotonic one. */
    long wallMicros(int clock, int tick) {
        return EPOCH_MICROS + clock * SKEW_MICROS + tick * nanosPerTick.get(clock) / 1000;
    }

    Instant wall(int clock, int tick) {
        return EPOCH.plusNanos(clock * SKEW_MICROS * 1000 + tick * nanosPerTick.get(clock));
    }

    /** The process whose monotonic clock shows an instant; -1 if the number is none. */
    int clockOf(long value) {
        for (int clock = 0; clock < nanosPerTick.size(); clock++) {
            if (Math.abs(value - (clock + 1) * ORIGIN) < ORIGIN / 2) {
                return clock;
            }
        }
        return -1;
    }

    /** The process whose wall clock shows a time. */
    int wallClockOf(long micros) {
        long nearest = (micros - EPOCH_MICROS + SKEW_MICROS / 2) / SKEW_MICROS;
        return (int) Math.max(0, Math.min(nanosPerTick.size() - 1, nearest));
    }
}
