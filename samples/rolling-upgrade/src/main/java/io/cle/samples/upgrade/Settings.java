package io.cle.samples.upgrade;

import java.time.Duration;

import io.cle.model.Timings;

/**
 * How the demo runs.
 *
 * @param timings the durations of the replicas' lease; shorter than the defaults, so that nobody has to wait long for an expiry
 * @param pause how long to leave the reader alone with what happened
 * @param limit how long all of it may take
 */
record Settings(Timings timings, Duration pause, Duration limit) {

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500)),
            Duration.ofMillis(1500),
            Duration.ofMinutes(3));
}
