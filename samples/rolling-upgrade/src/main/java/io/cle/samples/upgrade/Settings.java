package io.cle.samples.upgrade;

import java.time.Duration;

import io.cle.Timings;

/**
 * Settings of the demo.
 *
 * @param timings the durations of the replicas' lease; shorter than the defaults, so that an expiry comes soon
 * @param pace called between two acts
 * @param limit the time limit of the demo
 * @param linger whether to keep the cluster and its last replicas running after the story, until the process is ended
 */
record Settings(Timings timings, Pace pace, Duration limit, boolean linger) {

    /** The pace of the story, called between two acts. */
    interface Pace {

        /**
         * Returns when the next act may begin.
         *
         * @param leader the leader from the end of the act until the next one begins
         */
        void afterAct(String leader) throws InterruptedException;
    }

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500)),
            leader -> Thread.sleep(1500),
            Duration.ofMinutes(3),
            false);

    /** Returns these settings with a pause for the reader after each act. */
    Settings pausing(Duration value) {
        return paced(leader -> Thread.sleep(value.toMillis()));
    }

    /** Returns these settings with another pace. */
    Settings paced(Pace other) {
        return new Settings(timings, other, limit, linger);
    }

    /** Returns these settings for a demo that keeps running until the reader ends it. */
    Settings lingering() {
        return new Settings(timings, pace, Duration.ofDays(365), true);
    }
}
