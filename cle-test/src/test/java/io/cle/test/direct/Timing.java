package io.cle.test.direct;

import java.time.Duration;

import io.cle.Timings;
import org.awaitility.core.ConditionFactory;

import static org.awaitility.Awaitility.await;

/**
 * The durations of electors, and how long is waited for them. Leases that are to expire, or that client-java's elector is a candidate for, are
 * short, but no shorter than a busy machine can renew them. client-java begins to count its deadline one retry period after its last renewal,
 * which is a second here, and has to be done by the expiry.
 */
final class Timing {

    static final Duration LEASE = Duration.ofSeconds(5);
    static final Duration DEADLINE = Duration.ofSeconds(3);
    static final Duration RETRY = Duration.ofMillis(250);

    /** Ours, if a lease is to expire. */
    static final Timings SHORT = new Timings(LEASE, DEADLINE, RETRY);

    /**
     * Ours, if a lease is to expire for which a hundred wait: on a busy machine the short ones time out, and each request that isn't answered is
     * followed by another one.
     */
    static final Timings CROWDED = new Timings(Duration.ofSeconds(15), Duration.ofSeconds(10), RETRY);

    /**
     * Ours, if none is to expire: what comes within {@link #PATIENCE} comes by a release. How fast it is acquired is for the benchmark to say.
     */
    static final Timings LONG = new Timings(Duration.ofMinutes(5), Duration.ofMinutes(4), RETRY);

    /** Longer than any wait should take; where one takes so long, something is broken. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private Timing() {}

    /** Waits for something. */
    static ConditionFactory within(Duration limit) {
        return await().pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ZERO)
                .atMost(limit);
    }
}
