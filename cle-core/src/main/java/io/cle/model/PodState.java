package io.cle.model;

import java.time.Instant;
import java.util.Optional;

/** What is known of the pod of a candidate (safety.md#terminated-holder). */
public sealed interface PodState {

    /** There is no such pod any more, or another one has its name. */
    record Missing() implements PodState {}

    /** All its containers have finished for good. */
    record Finished(String phase) implements PodState {}

    /**
     * It is there.
     *
     * @param runningSince since when the regular container runs that started first, by the node's clock; empty when none runs
     *     at the moment, as while it crash-loops
     */
    record Present(Optional<Instant> runningSince) implements PodState {}

    /** Its state can't be told, as its node hasn't reported yet. */
    record Unclear() implements PodState {}
}
