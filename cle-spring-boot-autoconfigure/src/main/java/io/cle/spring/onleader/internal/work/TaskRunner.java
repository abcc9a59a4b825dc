package io.cle.spring.onleader.internal.work;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.cle.Term;
import io.cle.runtime.internal.loop.Clock;
import io.cle.spring.onleader.OnFailure;
import io.cle.spring.onleader.internal.term.LeaderRun;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Runs one task in each term, on a thread of its own, and again after a failure as its {@link OnFailure} says. Never runs it twice at
 * once, not even if a term begins while the run of the one before hasn't ended.
 */
final class TaskRunner {

    private static final Logger log = LoggerFactory.getLogger(TaskRunner.class);

    private final LeaseWork work;
    private final LeaderTask task;
    private final WorkLog status;
    private final OnLeaderProperties delays;
    private final Clock clock;
    private final Executor threads;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /**
     * Makes a runner that runs nothing yet.
     *
     * @param work knows the runs of the lease, and handles failures
     * @param status keeps what becomes of the task
     * @param delays before the next attempts; a run that lasted longer than the longest of them begins with the first again
     * @param threads has a thread of its own for each task
     */
    TaskRunner(
            LeaseWork work, LeaderTask task, WorkLog status, OnLeaderProperties delays, Clock clock, Executor threads) {
        this.work = work;
        this.task = task;
        this.status = status;
        this.delays = delays;
        this.clock = clock;
        this.threads = threads;
    }

    /** Begins the run of a term. Called one grant at a time. */
    void begin(Term term) {
        LeaderRun run = LeaderRun.granted(task.name(), term);
        work.add(run);
        CompletableFuture<Void> previous = last;
        last = run.end();
        if (!previous.isDone()) {
            log.warn(
                    "lease {}: {} has not ended since the last term; it begins anew as soon as it has",
                    work.lease(),
                    task.name());
        }
        previous.thenRun(() -> start(run));
    }

    private void start(LeaderRun run) {
        try {
            threads.execute(() -> {
                Thread.currentThread().setName("cle-" + work.lease() + "-" + task.name());
                run(run);
            });
        } catch (RuntimeException | Error e) {
            // One of the application's task decorators has failed, or there is no thread left. Unless it is reported
            // here, the process leads without the work and looks well.
            OnFailure onFailure = task.target().onFailure() == OnFailure.RESIGN ? OnFailure.RESIGN : OnFailure.KEEP;
            work.failed(run, status, onFailure, e);
            work.leave(run);
        }
    }

    private void run(LeaderRun run) {
        Term outer = Term.enter(run.term());
        try {
            BackOffExecution backOff = null;
            while (!run.isStopping()) {
                long began = clock.nanos();
                if (runOnce(run)) {
                    return;
                }
                if (backOff == null
                        || clock.nanos() - began > delays.maxRetryDelay().toNanos()) {
                    backOff = backOff();
                }
                Duration delay = Duration.ofMillis(backOff.nextBackOff());
                status.retriesAt(clock.wall().plus(delay));
                if (run.awaitStop(delay)) {
                    return;
                }
            }
        } finally {
            Term.enter(outer);
            if (run.isStopping()) {
                status.termEnded();
            }
            work.leave(run);
        }
    }

    private BackOffExecution backOff() {
        ExponentialBackOff backOff = new ExponentialBackOff(delays.retryDelay().toMillis(), 2);
        backOff.setMaxInterval(delays.maxRetryDelay().toMillis());
        return backOff.start();
    }

    /** Whether that was it for this term. */
    private boolean runOnce(LeaderRun run) {
        status.becomes(WorkStatus.State.RUNNING);
        log.debug("lease {}: {} begins", run.term().lease(), task.name());
        Throwable failure = call(run);
        if (failure == null) {
            log.debug("lease {}: {} has ended", run.term().lease(), task.name());
            status.becomes(WorkStatus.State.DONE);
            return true;
        }
        if (run.isStoppedBy(failure)) {
            log.debug(
                    "lease {}: {} was interrupted by the end of its term",
                    run.term().lease(),
                    task.name());
            status.becomes(WorkStatus.State.IDLE);
            return true;
        }
        return work.failed(run, status, task.target().onFailure(), failure) != OnFailure.RETRY;
    }

    private @Nullable Throwable call(LeaderRun run) {
        run.enterThread(task.target().interrupt());
        try {
            task.body().run(run);
            return null;
        } catch (Throwable failure) {
            // Errors too: a leader whose work died of a NoClassDefFoundError must not look well.
            return failure;
        } finally {
            run.leaveThread();
            // The thread is the work's alone. With an interrupt that the work has left, the wait for the next attempt
            // would return at once, and the attempt would fail by it: again and again, without any delay.
            Thread.interrupted();
        }
    }
}
