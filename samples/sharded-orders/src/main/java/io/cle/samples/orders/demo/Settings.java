package io.cle.samples.orders.demo;

import java.nio.file.Path;
import java.time.Duration;

import io.cle.Timings;

/**
 * Settings of the demo.
 *
 * @param timings the durations of each shard's Lease; shorter than the defaults, so that an expiry comes soon
 * @param replicas how many replicas start together
 * @param pause the pause after each step: shards that move meanwhile are moves of that step
 * @param limit the time limit of the demo
 * @param coordinator the coordinator's executable jar
 */
record Settings(Timings timings, int replicas, Duration pause, Duration limit, Path coordinator) {

    static final Settings DEFAULT = new Settings(
            new Timings(Duration.ofSeconds(8), Duration.ofSeconds(6), Duration.ofSeconds(1)),
            3,
            Duration.ofMillis(1500),
            Duration.ofMinutes(3),
            Path.of("cle-coordinator-app", "target", "cle-coordinator-app.jar"));

    /** Returns the same settings with another pause. */
    Settings pausing(Duration other) {
        return new Settings(timings, replicas, other, limit, coordinator);
    }

    /** Returns the same settings with another coordinator. */
    Settings coordinatedBy(Path other) {
        return new Settings(timings, replicas, pause, limit, other);
    }
}
