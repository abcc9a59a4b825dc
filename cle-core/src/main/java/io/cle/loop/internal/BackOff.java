package io.cle.loop.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long after each failure up to a limit, less up to half at random, so that many
 * processes that saw the same failure don't all come back at once. Immutable and thread-safe.
 *
 * @param first the delay after the first failure, above zero
 * @param limit the longest delay, not below {@code first}
 */
public record BackOff(Duration first, Duration limit) {

    /**
     * For requests that an API server doesn't answer. It stays short, so that all is well soon after its return, and asks no more of it than
     * client-go's electors do all the time.
     */
    public static final BackOff OF_REQUESTS = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(2));

    /** For requests that it refuses, which it will mostly refuse again. */
    public static final BackOff OF_REFUSALS = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private static final int MAX_DOUBLINGS = 20;

    /** @throws IllegalArgumentException if {@code first} isn't above zero, or {@code limit} is below it */
    public BackOff {
        if (first.isZero() || first.isNegative() || limit.compareTo(first) < 0) {
            throw new IllegalArgumentException("back-off from " + first + " to " + limit);
        }
    }

    /**
     * Returns the delay after some failures in a row.
     *
     * @param failures one at least
     * @throws IllegalArgumentException if there are none
     */
    public Duration after(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw new IllegalArgumentException("back-off after " + failures + " failures");
        }
        Duration delay = first.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        long nanos = (delay.compareTo(limit) < 0 ? delay : limit).toNanos();
        return Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    }
}
