package io.cle.samples.migration;

import java.time.Duration;

import io.cle.Timings;

/**
 * Settings of the story.
 *
 * @param timings the durations of all leases
 * @param pause the pause for the reader after each event
 * @param patience how long to wait for a job to move
 * @param limit the time limit of the story
 */
record Settings(Timings timings, Duration pause, Duration patience, Duration limit) {

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500)),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20),
            Duration.ofMinutes(3));
}
