package io.cle;

import java.util.concurrent.CompletionStage;

/** A lock with the methods of its owner, which starts and stops it. Thread-safe. */
public interface OwnedLock extends CoordinatedLeaseLock, AutoCloseable {

    /** Becomes a candidate; does nothing if it is one already. Can be called again after {@link #stop()}. */
    void start();

    /** Returns whether the lock has been started and not stopped since. */
    boolean isRunning();

    /**
     * Stops being a candidate: ends the current term, waits for the led work to end, hands the lease over and withdraws the candidacy
     * ({@code safety.md#drain-before-release}). Idempotent. If a listener of this lock calls this method, the lock doesn't wait for that
     * listener: the other listeners are called on another thread, and the lease is handed over, while that listener is still running.
     *
     * @return completes when all of this is done, or was given up because the API server didn't answer in time
     */
    CompletionStage<Void> stop();

    /** Calls {@link #stop()} and waits for its completion, at most for the drain timeout and one lease duration. */
    @Override
    void close();
}
