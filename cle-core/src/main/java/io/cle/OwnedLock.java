package io.cle;

import java.util.concurrent.CompletionStage;

/** A lock in the hands of its owner, which starts and ends it. Thread-safe. */
public interface OwnedLock extends CoordinatedLeaseLock, AutoCloseable {

    /** Becomes a candidate; does nothing if it is one already. Can be called again after {@link #stop()}. */
    void start();

    /** Whether it was started and not stopped since. */
    boolean isRunning();

    /**
     * Stops being a candidate: a term ends, is drained and handed over, the candidacy is withdrawn ({@code safety.md#drain-before-release}). Idempotent.
     * A listener of this lock that calls it is taken to have returned: the others are called, and the lease is handed over, while it goes on.
     *
     * @return completes when all of that is done, or had to be given up because the API server didn't answer in time
     */
    CompletionStage<Void> stop();

    /** {@link #stop()}, waited for: at most the drain timeout and one lease duration. */
    @Override
    void close();
}
