package io.cle.spring.onleader.internal;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.Term;
import io.cle.TermEndedException;
import io.cle.loop.internal.ThreadEventLoop;
import io.cle.spring.lock.internal.WorkLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of led work, from its admission until all of its work has ended. Thread-safe.
 *
 * <p>Interrupts and the return of the call happen under this object's monitor. Otherwise a pool's thread could be interrupted for a run
 * that it has just finished, in the middle of an unrelated task.
 */
final class LeaderRun {

    private static final Logger log = LoggerFactory.getLogger(LeaderRun.class);

    private final WorkLog status;
    private final Term term;
    private final boolean guarded;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** The part of the run that continues after its call; {@code null} if there is none, or it isn't cancelled. */
    private @Nullable Future<?> rest;
    /** The thread that the call is on, or was on; {@code null} before it begins. */
    private @Nullable Thread thread;
    /** Whether the call is on {@link #thread} now. */
    private boolean called;
    /** Whether that thread may be interrupted for the call. */
    private boolean interruptible;
    /** Whether the thread has been interrupted for this run. */
    private boolean interrupted;
    /** Opened when the term ends before the run. Awaited without this object's monitor, which would pin a virtual thread. */
    private final CountDownLatch stop = new CountDownLatch(1);

    private LeaderRun(WorkLog status, Term term, boolean guarded) {
        this.status = status;
        this.term = term;
        this.guarded = guarded;
    }

    /** Returns a run that a grant of leadership starts. */
    static LeaderRun granted(WorkLog status, Term term) {
        return new LeaderRun(status, term, false);
    }

    /** Returns a run for a guarded call, which its trigger starts. */
    static LeaderRun guarded(WorkLog status, Term term) {
        return new LeaderRun(status, term, true);
    }

    /** Returns the record of this run's work. */
    WorkLog status() {
        return status;
    }

    /** Returns the name of the work: the bean and its method. */
    String work() {
        return status.work();
    }

    /** Returns the term in which it began. */
    Term term() {
        return term;
    }

    /** Returns whether this is a guarded call, started by its trigger. */
    boolean isGuarded() {
        return guarded;
    }

    /** Completes when the run has ended; never fails. */
    CompletableFuture<Void> end() {
        return end;
    }

    /**
     * Records that the call begins on the calling thread.
     *
     * @param mayInterrupt whether the thread is interrupted when the term ends
     */
    synchronized void enterThread(boolean mayInterrupt) {
        thread = Thread.currentThread();
        called = true;
        interruptible = mayInterrupt;
        if (isStopRequested()) {
            interrupt();
        }
    }

    /** Returns whether the call is on the calling thread. */
    synchronized boolean isOnThisThread() {
        return called && thread == Thread.currentThread();
    }

    /**
     * Records that the call has returned. Clears an interrupt for the call that the work has not consumed, so that it doesn't reach the
     * thread's next task.
     */
    synchronized void leaveThread() {
        called = false;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    private void interrupt() {
        Thread target = thread;
        if (called && interruptible && target != null) {
            interrupted = true;
            target.interrupt();
        }
    }

    /** Records that the run continues after its call until a future is complete. The future is cancelled if the term ends first or has ended. */
    void continuesWith(Future<?> future) {
        synchronized (this) {
            rest = future;
            if (!isStopRequested()) {
                return;
            }
        }
        cancel(future);
    }

    /** Interrupts and cancels the run at the end of its term, as far as it may be interrupted and cancelled. Never throws. */
    void requestStop() {
        Future<?> pending;
        synchronized (this) {
            if (isStopRequested()) {
                return;
            }
            pending = rest;
            // Interrupts first: after its wait for the stop, the thread may for example stop a bean, which must not
            // be interrupted for this run.
            interrupt();
            stop.countDown();
        }
        if (pending != null) {
            cancel(pending);
        }
    }

    /**
     * Cancels on a new thread, because a cancellation runs the application's code, which must not keep another run from being
     * interrupted. An executor of the application isn't used either, because its task decorators run on the caller's thread.
     */
    private void cancel(Future<?> future) {
        try {
            ThreadEventLoop.daemon(() -> future.cancel(true), "cle-cancels-" + work())
                    .start();
        } catch (RuntimeException | Error noThread) {
            log.warn("Lease {}: {} can't be cancelled at the end of its term", term.lease(), work(), noThread);
        }
    }

    /** Returns whether its term has ended. */
    synchronized boolean isStopping() {
        return isStopRequested() || !term.isValid();
    }

    /**
     * Returns whether a failure is only the consequence of the end of its term: an interrupt, a cancellation, or a failed check of the
     * term.
     */
    boolean isStoppedBy(Throwable failure) {
        return isStopping()
                && Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                        .anyMatch(cause -> cause instanceof InterruptedException
                                || cause instanceof InterruptedIOException
                                || cause instanceof ClosedByInterruptException
                                || cause instanceof CancellationException
                                || cause instanceof TermEndedException);
    }

    private synchronized boolean isStopRequested() {
        return stop.getCount() == 0;
    }

    /**
     * Waits on the run's own thread until the term has ended.
     *
     * @return false if the thread was interrupted before
     */
    boolean awaitStop() {
        return awaitStop(Duration.ofNanos(Long.MAX_VALUE / 2));
    }

    /**
     * Waits on the run's own thread.
     *
     * @return whether the term has ended meanwhile
     */
    boolean awaitStop(Duration delay) {
        try {
            return stop.await(delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // An interrupt that is not for this run ends the wait early, and the next attempt sees it.
            Thread.currentThread().interrupt();
            return isStopRequested();
        }
    }

    /** Returns the name of the thread that the call is on or was on last. */
    synchronized String threadName() {
        return thread == null ? "none" : thread.getName();
    }

    /** Records that all of the run has ended. */
    void ended() {
        end.complete(null);
    }
}
