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
     * If a listener of this lock calls it, the lock doesn't wait for that listener: the other listeners are called on another thread, and the lease
     * is handed over, while that listener is still running.
     *
     * @return completes when all of that is done, or had to be given up because the API server didn't answer in time
     */
    CompletionStage<Void> stop();

    /** {@link #stop()}, waited for: at most the drain timeout and one lease duration. */
    @Override
    void close();
}
