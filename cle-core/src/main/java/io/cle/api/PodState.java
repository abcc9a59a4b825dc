package io.cle.api;

import java.time.Instant;
import java.util.Optional;

/** What is known of the pod of a candidate (coordinator's rule 6). */
public sealed interface PodState {

    /** There is no such pod any more, or another one has its name. */
    record Missing() implements PodState {}

    /** All its containers have finished for good. */
    record Finished(String phase) implements PodState {}

    /**
     * It is there.
     *
     * @param startedAt since when the container runs that started first, by the node's clock; empty when that isn't known
     */
    record Present(Optional<Instant> startedAt) implements PodState {}
}
