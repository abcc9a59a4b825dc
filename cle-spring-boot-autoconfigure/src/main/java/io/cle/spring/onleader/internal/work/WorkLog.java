package io.cle.spring.onleader.internal.work;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** Counts what becomes of one piece of led work. Thread-safe. */
public final class WorkLog {

    private final String work;
    private WorkStatus.State state = WorkStatus.State.IDLE;
    private long failures;
    private long overlaps;
    private @Nullable String lastFailure;
    private @Nullable Instant lastFailureTime;
    private @Nullable Instant nextAttempt;

    WorkLog(String work) {
        this.work = work;
    }

    /** Its name. */
    public String work() {
        return work;
    }

    public synchronized void becomes(WorkStatus.State next) {
        state = next;
        nextAttempt = null;
    }

    /**
     * It has failed.
     *
     * @param next what it does now
     */
    synchronized void failed(Throwable failure, Instant now, WorkStatus.State next) {
        failures++;
        lastFailure = failure.toString();
        lastFailureTime = now;
        becomes(next);
    }

    synchronized void retriesAt(Instant next) {
        becomes(WorkStatus.State.RETRYING);
        nextAttempt = next;
    }

    /** A term has ended: what failed in it is no longer this process's to do. */
    synchronized void termEnded() {
        if (state != WorkStatus.State.RUNNING) {
            becomes(WorkStatus.State.IDLE);
        }
    }

    synchronized void overlapped() {
        overlaps++;
    }

    /** How it fares. */
    public synchronized WorkStatus status() {
        return new WorkStatus(work, state, failures, overlaps, lastFailure, lastFailureTime, nextAttempt);
    }
}
