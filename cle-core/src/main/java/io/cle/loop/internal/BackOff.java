package io.cle.loop.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off with jitter. The delay doubles after each failure up to a limit, and is shortened by a random amount of up to half, so
 * that many processes that saw the same failure don't all retry at once. Immutable and thread-safe.
 *
 * @param first the delay after the first failure, above zero
 * @param limit the longest delay, not below {@code first}
 */
public record BackOff(Duration first, Duration limit) {

    /**
     * For requests that the API server doesn't answer. The delays stay short for a fast recovery, and load the API server no more than
     * client-go's electors always do.
     */
    public static final BackOff OF_REQUESTS = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(2));

    /** For requests that the API server refuses, and will mostly refuse again. */
    public static final BackOff OF_REFUSALS = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private static final int MAX_DOUBLINGS = 20;

    /** @throws IllegalArgumentException if {@code first} isn't above zero, or {@code limit} is below it */
    public BackOff {
        if (first.isZero() || first.isNegative() || limit.compareTo(first) < 0) {
            throw new IllegalArgumentException("back-off from " + first + " to " + limit);
        }
    }

    /**
     * Returns the delay after consecutive failures.
     *
     * @param failures how many, at least one
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
