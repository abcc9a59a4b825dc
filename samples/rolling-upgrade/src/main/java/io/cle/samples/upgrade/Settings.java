package io.cle.samples.upgrade;

import java.time.Duration;

import io.cle.model.Timings;

/**
 * How the demo runs.
 *
 * @param timings the durations of the replicas' lease; shorter than the defaults, so that an expiry comes soon
 * @param pause how long to leave the reader alone with what happened
 * @param limit how long all of it may take
 * @param linger whether to keep the cluster and its last replicas running after the story, until the process is ended
 */
record Settings(Timings timings, Duration pause, Duration limit, boolean linger) {

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500)),
            Duration.ofMillis(1500),
            Duration.ofMinutes(3),
            false);

    /** The same with another pause between the acts. */
    Settings pausing(Duration value) {
        return new Settings(timings, value, limit, linger);
    }

    /** The same, but it keeps running; how long is up to the reader. */
    Settings lingering() {
        return new Settings(timings, pause, Duration.ofDays(365), true);
    }
}
