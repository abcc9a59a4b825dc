package io.cle.samples.benchmark;

import java.time.Duration;

/** Lets time pass, where that is what is measured or what makes a measurement typical. */
final class Pause {

    private Pause() {}

    static void of(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }
}
