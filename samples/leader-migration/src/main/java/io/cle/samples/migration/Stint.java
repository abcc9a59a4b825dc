package io.cle.samples.migration;

import java.util.OptionalLong;

/**
 * A period in which a replica does a job.
 *
 * @param job the job
 * @param replica the replica
 * @param from when it began, in nanoseconds since the story began
 * @param to when it ended; empty while it lasts
 */
record Stint(String job, String replica, long from, OptionalLong to) {

    /** Whether it is still lasting. */
    boolean open() {
        return to.isEmpty();
    }

    Stint ended(long at) {
        return new Stint(job, replica, from, OptionalLong.of(at));
    }
}
