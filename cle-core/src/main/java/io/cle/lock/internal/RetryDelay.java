package io.cle.lock.internal;

import java.time.Duration;

import io.cle.Timings;

/** How long to wait after requests that have failed. */
final class RetryDelay {

    /** Beyond so many the delay would overflow; it has come to its limit long before. */
    private static final int MOST_DOUBLINGS = 10;

    private RetryDelay() {}

    /**
     * An eighth of the retry period after the first failure, and twice as long after each further one.
     *
     * @param failures how many requests have failed in a row, one at least
     * @param longest the limit
     */
    static Duration after(int failures, Timings timings, Duration longest) {
        Duration delay = timings.retryPeriod().dividedBy(8).multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return delay.compareTo(longest) < 0 ? delay : longest;
    }
}
