package io.cle.evidence.benchmark;

import java.time.Duration;

/** Lets time pass, where that is what is measured or what makes a measurement typical. */
final class Pause {

    /** More than the 5 s for which a renewal counts as an acknowledgement. */
    private static final Duration UNTIL_CANDIDATES_ARE_ASKED = Duration.ofSeconds(6);

    private Pause() {}

    /** Until a candidate that has renewed just now would have to acknowledge before it is elected, as in most elections. */
    static void untilCandidatesAreAsked() throws InterruptedException {
        of(UNTIL_CANDIDATES_ARE_ASKED);
    }

    static void of(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }
}
