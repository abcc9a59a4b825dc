package io.cle.test.interop;

import java.time.Duration;

/** The durations that all electors of these tests have: as short as client-java's can be. */
final class Timing {

    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration DEADLINE = Duration.ofSeconds(2);
    static final Duration RETRY = Duration.ofMillis(250);

    private Timing() {}
}
