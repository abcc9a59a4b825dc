package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;

/**
 * Now, on both of a process's clocks. Durations are measured on the monotonic one only. The wall clock is written down for people and for other
 * implementations to read; its offset decides nothing, and its steps decide one thing alone: whether the monotonic clock may have stood
 * still ({@code safety.md#suspended-machine}).
 *
 * @param nanos monotonic nanoseconds with an arbitrary origin, comparable within one process
 * @param wall the wall clock
 */
public record Moment(long nanos, Instant wall) {

    /** The monotonic instant that lies a duration ahead, in nanoseconds. */
    public long plus(Duration duration) {
        return nanos + duration.toNanos();
    }

    /** True when the monotonic instant {@code deadline} is now or past. */
    public boolean reached(long deadline) {
        return nanos - deadline >= 0;
    }

    /** How far the wall clock is ahead of the monotonic one, in nanoseconds; only its changes mean anything. */
    public long wallAhead() {
        return wall.getEpochSecond() * 1_000_000_000L + wall.getNano() - nanos;
    }

    /** How long ago a monotonic instant was; negative when it lies ahead. */
    public Duration since(long earlier) {
        return Duration.ofNanos(nanos - earlier);
    }
}
