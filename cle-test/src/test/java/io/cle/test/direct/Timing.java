package io.cle.test.direct;

import java.time.Duration;

import org.awaitility.core.ConditionFactory;

import static org.awaitility.Awaitility.await;

/**
 * The durations that all electors of these tests have, as short as client-java's can be, and how long is waited for them. client-java
 * begins to count its deadline one retry period after its last renewal, which is a second here, and has to be done by the expiry.
 */
final class Timing {

    static final Duration LEASE = Duration.ofSeconds(4);
    static final Duration DEADLINE = Duration.ofSeconds(2);
    static final Duration RETRY = Duration.ofMillis(250);

    /** Longer than any wait should take; where one takes so long, something is broken. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Well before anything could have expired. How fast a release is taken is for the benchmark to say. */
    static final Duration AT_ONCE = Duration.ofSeconds(3);

    private Timing() {}

    /** Waits for something. */
    static ConditionFactory within(Duration limit) {
        return await().pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ZERO)
                .atMost(limit);
    }
}
