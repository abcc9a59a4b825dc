package io.cle.test.direct;

import java.time.Duration;

import io.cle.Timings;
import org.awaitility.core.ConditionFactory;

import static org.awaitility.Awaitility.await;

/**
 * The durations of electors, and timeouts of tests. Leases that have to expire, or that have client-java's elector as a
 * candidate, are short, but long enough for a busy machine to renew them. client-java starts to count its deadline one
 * retry period (here a second) after its last renewal, and must have given up by the expiry.
 */
final class Timing {

    static final Duration LEASE = Duration.ofSeconds(5);
    static final Duration DEADLINE = Duration.ofSeconds(3);
    static final Duration RETRY = Duration.ofMillis(250);

    /** Our timings if a lease has to expire. */
    static final Timings SHORT = new Timings(LEASE, DEADLINE, RETRY);

    /**
     * Our timings if a lease with a hundred waiting candidates has to expire. With the short ones, requests would time
     * out on a busy machine, and each unanswered request is followed by another.
     */
    static final Timings CROWDED = new Timings(Duration.ofSeconds(15), Duration.ofSeconds(10), RETRY);

    /**
     * Our timings if no lease has to expire: any acquisition within {@link #PATIENCE} follows a release. The benchmark
     * measures how fast it is.
     */
    static final Timings LONG = new Timings(Duration.ofMinutes(5), Duration.ofMinutes(4), RETRY);

    /** Longer than any wait should take. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private Timing() {}

    /** Returns a condition that polls every 5 ms. */
    static ConditionFactory within(Duration limit) {
        return await().pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ZERO)
                .atMost(limit);
    }
}
