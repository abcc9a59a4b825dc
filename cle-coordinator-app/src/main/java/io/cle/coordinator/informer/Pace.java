package io.cle.coordinator.informer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.extended.workqueue.ratelimiter.ItemExponentialFailureRateLimiter;
import io.kubernetes.client.extended.workqueue.ratelimiter.RateLimiter;

/**
 * How long to wait before the next attempt. The reflector of client-java lists anew after a second, for ever, and opens a watch
 * that has ended anew without any delay at all: an API server in trouble would not recover from its clients.
 */
final class Pace {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final RateLimiter<Pace> limiter = new ItemExponentialFailureRateLimiter<>(FIRST, LONGEST);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Duration delay = Duration.ZERO;

    /** The next attempt needn't wait. What has failed until now isn't forgotten. */
    void proceed() {
        delay = Duration.ZERO;
    }

    /** The last attempt was of lasting use. */
    void succeeded() {
        limiter.forget(this);
        proceed();
    }

    /**
     * The last attempt has failed.
     *
     * @return how long the next one will wait
     */
    Duration failed() {
        delay = limiter.when(this);
        return delay;
    }

    /** Waits until an attempt may be made, on the thread of the reflector, which is there for that. */
    void awaitTurn() {
        try {
            if (!delay.isZero() && closed.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("the informers are stopping");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the informers are stopping", e);
        }
    }

    /** Nobody needs to wait any more. */
    void close() {
        closed.countDown();
    }
}
