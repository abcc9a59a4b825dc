package io.cle.spring.lock.internal;

import org.jspecify.annotations.Nullable;

/** Records the state and the failures of one piece of led work over all of its runs. Thread-safe. */
public final class WorkLog {

    private final String work;
    private State state = State.IDLE;
    private long failures;
    private long overlaps;
    private @Nullable String lastFailure;

    /**
     * Creates the record of work that has not run yet.
     *
     * @param work the bean and its method, or the bean
     */
    public WorkLog(String work) {
        this.work = work;
    }

    /**
     * The status of one piece of led work, for the endpoint, health and meters.
     *
     * @param work the bean and its method, or the bean
     * @param state its current state
     * @param failures how often it has ended with an exception while its term lasted, since this process started
     * @param overlaps how often it was still running after its term, when another process may have led, since this process started
     * @param lastFailure the last exception; {@code null} if it never failed
     */
    public record Status(
            String work,
            State state,
            long failures,
            long overlaps,
            @Nullable String lastFailure) {}

    /** The state of led work. */
    public enum State {
        /** It doesn't run: this process doesn't lead, or its trigger has not called it. */
        IDLE,
        /** It runs. */
        RUNNING,
        /** It returned before its term ended, and runs again in the next one. */
        DONE,
        /** It failed in this term and waits for its next attempt. */
        RETRYING,
        /** It failed in this term, and no retry is scheduled yet, or there is no thread to run it. */
        FAILED,
        /** It is guarded, and its last run in this term failed; its trigger calls it again. */
        LAST_RUN_FAILED;

        /** Returns whether this process leads but the work isn't done because it failed. */
        public boolean isFailing() {
            return this == RETRYING || this == FAILED;
        }
    }

    /** Returns the name of the work. */
    public String work() {
        return work;
    }

    /** Records the current state. */
    public synchronized void becomes(State next) {
        state = next;
    }

    /**
     * Records a failure.
     *
     * @param next the state after the failure
     */
    public synchronized void failed(Throwable failure, State next) {
        failures++;
        lastFailure = failure.toString();
        becomes(next);
    }

    /** Records the end of a term: a failure of the term no longer concerns this process. */
    public synchronized void termEnded() {
        if (state != State.RUNNING) {
            becomes(State.IDLE);
        }
    }

    /** Records that the work was still running after its term, when another process may have led. */
    public synchronized void overlapped() {
        overlaps++;
    }

    /** Returns the current status. */
    public synchronized Status status() {
        return new Status(work, state, failures, overlaps, lastFailure);
    }
}
