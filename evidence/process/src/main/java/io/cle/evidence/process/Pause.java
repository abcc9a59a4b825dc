package io.cle.evidence.process;

import java.time.Duration;

/** Waits, where the wait is part of the measurement or makes it typical. */
public final class Pause {

    /** More than the 5 s for which a renewal is treated as an acknowledgement. */
    private static final Duration UNTIL_CANDIDATES_ARE_ASKED = Duration.ofSeconds(6);

    private Pause() {}

    /** Waits until a candidate that has just renewed would have to acknowledge a ping before it is elected, as in most elections. */
    public static void untilCandidatesAreAsked() throws InterruptedException {
        of(UNTIL_CANDIDATES_ARE_ASKED);
    }

    public static void of(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }
}
