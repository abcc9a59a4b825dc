package io.cle.spring.onleader;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.spring.event.LeaderWorkFailed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * All work that is done under one lease: begins it with a term, lets guarded calls in while the term lasts, interrupts it when it
 * is revoked and knows when it has ended. Thread-safe.
 */
final class LeaseWork implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(LeaseWork.class);

    private final String lease;
    private final CoordinatedLeaseLock lock;
    private final Duration drainTimeout;
    private final ApplicationEventPublisher events;
    private final List<SingleRun> tasks;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();

    /**
     * Makes the work of a lease.
     *
     * @param drainTimeout when to tell of work that doesn't end
     * @param events hears of failures
     * @param tasks are done in every term
     */
    LeaseWork(
            String lease,
            CoordinatedLeaseLock lock,
            Duration drainTimeout,
            ApplicationEventPublisher events,
            List<LeaderTask> tasks) {
        this.lease = lease;
        this.lock = lock;
        this.drainTimeout = drainTimeout;
        this.events = events;
        this.tasks = tasks.stream().map(SingleRun::new).toList();
    }

    /** Something that goes on and has to end before the lease is handed over. Its identity is that of the object. */
    static final class Running {
        private final String what;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private volatile @Nullable Thread thread;

        private Running(String what) {
            this.what = what;
        }

        private void interrupt() {
            Thread worker = thread;
            if (worker != null) {
                worker.interrupt();
            }
        }
    }

    /**
     * Asks for leave to do something as the leader.
     *
     * @return to be given to {@link #leave}; {@code null} when this process doesn't lead
     */
    @Nullable
    Running enter(String what) {
        // Noted before it is asked who leads: a term that ends in between waits for it, or is seen to have ended.
        Running guarded = new Running(what);
        running.add(guarded);
        if (lock.isLeader()) {
            return guarded;
        }
        leave(guarded);
        return null;
    }

    /** It has ended. */
    void leave(Running guarded) {
        running.remove(guarded);
        guarded.end.complete(null);
    }

    boolean isLeader() {
        return lock.isLeader();
    }

    @Override
    public void onGranted(Term term) {
        tasks.forEach(task -> task.begin(term));
    }

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        for (Running work : running) {
            work.interrupt();
        }
    }

    @Override
    public CompletionStage<Void> drained(Term term) {
        if (running.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> all =
                CompletableFuture.allOf(running.stream().map(work -> work.end).toArray(CompletableFuture[]::new));
        if (!all.isDone()) {
            all.copy().orTimeout(drainTimeout.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
                log.warn(
                        "lease {}: work of the term with fencing token {} still goes on {} after it was revoked: {}; the"
                                + " lease is no longer held for it",
                        lease,
                        term.fencingToken(),
                        drainTimeout,
                        running.stream().map(work -> work.what).sorted().collect(Collectors.joining(", ")));
                return null;
            });
        }
        return all;
    }

    /** A task that is never done twice at once, not even when a term begins while the work of the last one hasn't ended. */
    private final class SingleRun {
        private final LeaderTask task;
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

        SingleRun(LeaderTask task) {
            this.task = task;
        }

        void begin(Term term) {
            Running work = new Running(task.name());
            running.add(work);
            CompletableFuture<Void> previous = last;
            last = work.end;
            if (!previous.isDone()) {
                log.warn(
                        "lease {}: {} hasn't ended since the last term, and begins anew when it has", lease, work.what);
            }
            previous.thenRun(() -> {
                Thread thread = new Thread(() -> run(term, work), "cle-" + lease + "-" + work.what);
                thread.setDaemon(true);
                work.thread = thread;
                thread.start();
            });
        }

        private void run(Term term, Running work) {
            try {
                if (leads(term)) {
                    log.debug("lease {}: {} begins", lease, work.what);
                    task.run(term);
                    log.debug("lease {}: {} has ended", lease, work.what);
                }
            } catch (Exception e) {
                failed(term, work, e);
            } catch (Error e) {
                failed(term, work, e);
                throw e;
            } finally {
                leave(work);
            }
        }

        private void failed(Term term, Running work, Throwable failure) {
            if (!leads(term) && comesOfAnInterrupt(failure)) {
                log.debug("lease {}: {} was interrupted by the end of its term", lease, work.what);
                return;
            }
            log.error(
                    "lease {}: {} has failed, and isn't run again in the term with fencing token {}",
                    lease,
                    work.what,
                    term.fencingToken(),
                    failure);
            events.publishEvent(new LeaderWorkFailed(lease, work.what, term.fencingToken(), failure));
        }

        private static boolean comesOfAnInterrupt(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof InterruptedException
                        || cause instanceof InterruptedIOException
                        || cause instanceof ClosedByInterruptException) {
                    return true;
                }
            }
            return false;
        }

        private boolean leads(Term term) {
            return lock.fencingToken().orElse(-1) == term.fencingToken();
        }
    }
}
