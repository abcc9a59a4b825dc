package io.cle.spring.onleader.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.cle.Term;
import io.cle.spring.lock.internal.WorkLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Runs led work in each term, on a thread of its own, and again after a failure. The work never runs twice at once, even if a term begins
 * before the run of the previous term has ended.
 */
final class LeaderTask {

    private static final Logger log = LoggerFactory.getLogger(LeaderTask.class);

    private final LeaseWork leaseWork;
    private final WorkLog status;
    private final boolean interrupt;
    private final Body body;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** The work of a term. */
    @FunctionalInterface
    interface Body {

        /**
         * Does the work, on a thread of its own; returns when it is done, or soon after the stop of the run was requested.
         *
         * @param run has the term, and is stopped when the term ends
         * @throws Exception if the work fails, or is interrupted
         */
        void run(LeaderRun run) throws Exception;
    }

    /**
     * Creates a task that doesn't run yet.
     *
     * @param leaseWork tracks the runs of the lease, and handles failures
     * @param status records the state and the failures of the work
     * @param interrupt whether its thread is interrupted when the term ends
     */
    LeaderTask(LeaseWork leaseWork, WorkLog status, boolean interrupt, Body body) {
        this.leaseWork = leaseWork;
        this.status = status;
        this.interrupt = interrupt;
        this.body = body;
    }

    private String name() {
        return status.work();
    }

    /** Begins the run of a term. Called by one thread at a time. */
    void begin(Term term) {
        LeaderRun run = LeaderRun.granted(status, term);
        leaseWork.add(run);
        CompletableFuture<Void> previous = last;
        last = run.end();
        if (!previous.isDone()) {
            log.warn(
                    "Lease {}: {} is still running since the previous term; the new run starts as soon as it has ended",
                    leaseWork.lease().name(),
                    name());
        }
        previous.thenRun(() -> start(run));
    }

    private void start(LeaderRun run) {
        try {
            leaseWork.shared().threads().execute(() -> {
                Thread.currentThread().setName("cle-" + leaseWork.lease().name() + "-" + name());
                run(run);
            });
        } catch (RuntimeException | Error e) {
            // A task decorator of the application failed, or no thread is left. Without this report, the process would
            // lead without the work and appear healthy.
            leaseWork.failed(run, e, "it isn't run before the next term");
            leaseWork.leave(run);
        }
    }

    private void run(LeaderRun run) {
        Term outer = Term.enter(run.term());
        try {
            BackOffExecution backOff = null;
            while (!run.isStopping()) {
                long began = leaseWork.shared().clock().nanos();
                if (runOnce(run)) {
                    return;
                }
                // After a run that lasted longer than the longest delay, the delays start over.
                if (backOff == null
                        || leaseWork.shared().clock().nanos() - began
                                > leaseWork.shared().delays().maxRetryDelay().toNanos()) {
                    backOff = backOff();
                }
                Duration delay = Duration.ofMillis(backOff.nextBackOff());
                status.becomes(WorkLog.State.RETRYING);
                if (run.awaitStop(delay)) {
                    return;
                }
            }
        } finally {
            Term.enter(outer);
            if (run.isStopping()) {
                status.termEnded();
            }
            leaseWork.leave(run);
        }
    }

    private BackOffExecution backOff() {
        ExponentialBackOff backOff =
                new ExponentialBackOff(leaseWork.shared().delays().retryDelay().toMillis(), 2);
        backOff.setMaxInterval(leaseWork.shared().delays().maxRetryDelay().toMillis());
        return backOff.start();
    }

    /** Runs the body once; returns whether no further run follows in this term. */
    private boolean runOnce(LeaderRun run) {
        status.becomes(WorkLog.State.RUNNING);
        log.debug("Lease {}: {} begins", run.term().lease(), name());
        Throwable failure = call(run);
        if (failure == null) {
            log.debug("Lease {}: {} has ended", run.term().lease(), name());
            status.becomes(WorkLog.State.DONE);
            return true;
        }
        if (run.isStoppedBy(failure)) {
            log.debug(
                    "Lease {}: {} was interrupted by the end of its term",
                    run.term().lease(),
                    name());
            status.becomes(WorkLog.State.IDLE);
            return true;
        }
        leaseWork.failed(run, failure, "it is run again");
        return false;
    }

    private @Nullable Throwable call(LeaderRun run) {
        run.enterThread(interrupt);
        try {
            body.run(run);
            return null;
        } catch (Throwable failure) {
            // Errors too: a leader whose work died of a NoClassDefFoundError must not appear healthy.
            return failure;
        } finally {
            run.leaveThread();
            // Clears an interrupt that the work has left on its thread. Otherwise the wait for the next attempt would
            // return at once and the attempt would fail, again and again, without any delay.
            Thread.interrupted();
        }
    }
}
