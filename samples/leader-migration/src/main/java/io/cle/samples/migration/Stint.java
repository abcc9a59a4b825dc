package io.cle.samples.migration;

import java.util.OptionalLong;

/**
 * A job done by a replica.
 *
 * @param job the job
 * @param replica who did it
 * @param from when it began, in nanoseconds since the story began
 * @param to when it ended; empty while it goes on
 */
record Stint(String job, String replica, long from, OptionalLong to) {

    /** Whether it goes on. */
    boolean open() {
        return to.isEmpty();
    }

    Stint ended(long at) {
        return new Stint(job, replica, from, OptionalLong.of(at));
    }
}
