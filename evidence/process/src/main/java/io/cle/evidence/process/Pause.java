package io.cle.evidence.process;

import java.time.Duration;

/** Lets time pass, where that is what is measured or what makes a measurement typical. */
public final class Pause {

    /** More than the 5 s for which a renewal counts as an acknowledgement. */
    private static final Duration UNTIL_CANDIDATES_ARE_ASKED = Duration.ofSeconds(6);

    private Pause() {}

    /** Until a candidate that has renewed just now would have to acknowledge before it is elected, as in most elections. */
    public static void untilCandidatesAreAsked() throws InterruptedException {
        of(UNTIL_CANDIDATES_ARE_ASKED);
    }

    public static void of(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }
}
