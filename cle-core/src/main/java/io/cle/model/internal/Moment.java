package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;

/**
 * The current time on both clocks of a process. Durations are measured on the monotonic clock only. The wall clock is recorded for people
 * and for other implementations. Its skew decides nothing; its steps are used only to detect that the monotonic clock may have stopped
 * ({@code safety.md#suspended-machine}).
 *
 * @param nanos monotonic nanoseconds with an arbitrary origin, comparable within one process
 * @param wall the wall clock
 */
public record Moment(long nanos, Instant wall) {

    /** Returns the monotonic instant after the given duration, in nanoseconds. */
    public long plus(Duration duration) {
        return nanos + duration.toNanos();
    }

    /** Returns whether the monotonic instant {@code deadline} has been reached. */
    public boolean reached(long deadline) {
        return nanos - deadline >= 0;
    }

    /** Returns how far the wall clock is ahead of the monotonic clock, in nanoseconds. Only changes of this value are meaningful. */
    public long wallAhead() {
        return wall.getEpochSecond() * 1_000_000_000L + wall.getNano() - nanos;
    }

    /** Returns how long ago a monotonic instant was; negative if it is in the future. */
    public Duration since(long earlier) {
        return Duration.ofNanos(nanos - earlier);
    }
}
