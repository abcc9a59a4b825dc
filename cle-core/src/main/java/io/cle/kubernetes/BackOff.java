package io.cle.kubernetes;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long each time up to a limit, less up to half at random, so that the many
 * who saw the same failure don't all come back at once.
 */
final class BackOff {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MAX_DOUBLINGS = 10;

    private BackOff() {}

    /**
     * The delay after so many failures in a row.
     *
     * @param failures one at least
     */
    static Duration after(int failures, RandomGenerator random) {
        Duration delay = FIRST.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        long nanos = (delay.compareTo(LIMIT) < 0 ? delay : LIMIT).toNanos();
        return Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    }
}
