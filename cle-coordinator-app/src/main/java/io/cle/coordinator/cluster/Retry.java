package io.cle.coordinator.cluster;

import java.time.Duration;

import io.cle.runtime.EventLoop;
import io.kubernetes.client.extended.workqueue.ratelimiter.ItemExponentialFailureRateLimiter;
import io.kubernetes.client.extended.workqueue.ratelimiter.RateLimiter;

/** Tries something again and again, with back-off, for ever. */
final class Retry {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Runnable attempt;
    private final RateLimiter<Retry> limiter = new ItemExponentialFailureRateLimiter<>(FIRST, LONGEST);

    Retry(EventLoop loop, Runnable attempt) {
        this.loop = loop;
        this.attempt = attempt;
    }

    /** The last attempt has failed: another one will be made on the loop. */
    void later() {
        loop.schedule(limiter.when(this), attempt);
    }
}
