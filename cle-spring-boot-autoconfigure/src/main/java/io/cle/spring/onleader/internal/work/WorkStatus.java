package io.cle.spring.onleader.internal.work;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How one piece of led work fares, for the endpoint, health and meters.
 *
 * @param work the bean and its method, or the bean
 * @param state what it does now
 * @param failures how often it has ended with an exception while its term lasted, since this process started
 * @param overlaps how often it went on after its term, when another process may have led, since this process started
 * @param lastFailure what it threw last; {@code null} if it never failed
 * @param lastFailureTime when it failed last, by this process's wall clock; {@code null} if it never failed
 * @param nextAttempt when it runs again; {@code null} unless it is {@link State#RETRYING}
 */
public record WorkStatus(
        String work,
        State state,
        long failures,
        long overlaps,
        @Nullable String lastFailure,
        @Nullable Instant lastFailureTime,
        @Nullable Instant nextAttempt) {

    /** What led work does. */
    public enum State {
        /** It doesn't run: this process doesn't lead, or its trigger has not called it. */
        IDLE,
        /** It runs. */
        RUNNING,
        /** It returned before its term ended, and runs again in the next one. */
        DONE,
        /** It failed in this term and waits for its next attempt. */
        RETRYING,
        /** It failed in this term and isn't tried again in it. */
        FAILED,
        /** It is guarded, and its last run in this term failed; its trigger calls it again. */
        LAST_RUN_FAILED;

        /** Whether this process leads without the work being done, because it failed. */
        public boolean isFailing() {
            return this == RETRYING || this == FAILED;
        }
    }
}
