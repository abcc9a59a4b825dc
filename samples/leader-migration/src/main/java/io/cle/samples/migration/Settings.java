package io.cle.samples.migration;

import java.time.Duration;

import io.cle.Timings;

/**
 * How the story is told.
 *
 * @param timings the durations of all leases
 * @param pause how long to leave the reader alone with what happened
 * @param patience how long to wait for a job to move
 * @param limit how long all of it may take
 */
record Settings(Timings timings, Duration pause, Duration patience, Duration limit) {

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500)),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20),
            Duration.ofMinutes(3));
}
