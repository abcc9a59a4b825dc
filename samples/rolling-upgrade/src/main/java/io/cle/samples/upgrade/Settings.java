package io.cle.samples.upgrade;

import java.time.Duration;

import io.cle.Timings;

/**
 * How the demo runs.
 *
 * @param timings the durations of the replicas' lease; shorter than the defaults, so that an expiry comes soon
 * @param pace what is done between two acts
 * @param limit how long all of it may take
 * @param linger whether to keep the cluster and its last replicas running after the story, until the process is ended
 */
record Settings(Timings timings, Pace pace, Duration limit, boolean linger) {

    /** What is done between two acts of the story. */
    interface Pace {

        /**
         * Returns when the next act may begin.
         *
         * @param leader who leads when the act has ended, and until the next one begins
         */
        void afterAct(String leader) throws InterruptedException;
    }

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500)),
            leader -> Thread.sleep(1500),
            Duration.ofMinutes(3),
            false);

    /** The same, which leaves the reader alone with what happened for this long. */
    Settings pausing(Duration value) {
        return paced(leader -> Thread.sleep(value.toMillis()));
    }

    /** The same at another pace. */
    Settings paced(Pace other) {
        return new Settings(timings, other, limit, linger);
    }

    /** The same, but it keeps running; how long is up to the reader. */
    Settings lingering() {
        return new Settings(timings, pace, Duration.ofDays(365), true);
    }
}
