package io.cle.spring.onleader.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.lock.internal.LockTerm;
import io.cle.lock.internal.WorkInterrupter;
import io.cle.loop.internal.Clock;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.WorkLog;
import io.cle.spring.properties.internal.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The led work of one lease in an application context. Starts the work when a term begins, admits guarded calls while
 * the term lasts, stops all runs when the term ends, and notifies the lock when all of them have ended
 * ({@code safety.md#drain-before-release}). Thread-safe.
 */
final class LeaseWork implements WorkInterrupter {

    private static final Logger log = LoggerFactory.getLogger(LeaseWork.class);

    /** How long a run may take to respond to its interrupt after the loss of a lease, before it is counted as an overlap. */
    private static final Duration HEEDED_WITHIN = Duration.ofMillis(100);

    private final ApplicationLease lease;
    private final Shared shared;
    private final List<LeaderTask> tasks = new ArrayList<>();
    private final Map<String, WorkLog> logs = new ConcurrentSkipListMap<>();
    private final Set<LeaderRun> runs = ConcurrentHashMap.newKeySet();
    /** The token of the last term that was begun; guarded by this. */
    private long begun = Long.MIN_VALUE;
    /** Whether this listens to the lock, which then waits for runs. */
    private volatile boolean attached;
    /** Why the last term ended. Read and written only by calls of this listener, one at a time. */
    private volatile RevokeReason lastReason = RevokeReason.STOPPED;

    /**
     * Collaborators of the work of all leases of an application context.
     *
     * @param delays delays between the attempts of failed work
     * @param threads must start a thread for each task, and never run a task on its caller's thread
     */
    record Shared(OnLeaderProperties delays, Clock clock, Executor threads) {}

    /** Returns whether leadership starts some of the work. */
    boolean isStarted() {
        return !tasks.isEmpty();
    }

    /** Creates the work of a lease, none at first. Endpoint, health and meters show the work that is added. */
    LeaseWork(ApplicationLease lease, Shared shared) {
        this.lease = lease;
        this.shared = shared;
        lease.addWork(logs.values());
    }

    /** Adds work that runs in every term. Must be called before {@link #attach()}. */
    void addTask(String work, boolean interrupt, LeaderTask.Body body) {
        tasks.add(new LeaderTask(this, logOf(work), interrupt, body));
    }

    /** Adds a guarded method. */
    void addGuard(String work) {
        logOf(work);
    }

    private WorkLog logOf(String work) {
        return logs.computeIfAbsent(work, WorkLog::new);
    }

    ApplicationLease lease() {
        return lease;
    }

    Shared shared() {
        return shared;
    }

    /**
     * Admits a guarded call.
     *
     * @return the run, to be passed to {@link #leave}; {@code null} if this process doesn't lead, or the work isn't attached
     */
    @Nullable
    LeaderRun enter(String work) {
        if (!attached) {
            return null;
        }
        for (Optional<Term> term = LockTerm.running(lease.lock());
                term.isPresent();
                term = LockTerm.running(lease.lock())) {
            LeaderRun run = LeaderRun.guarded(logOf(work), lease.withShard(term.get()));
            add(run);
            // Checked again after the run was added. Otherwise the term could end in between: the run would begin
            // although another process leads, and would be neither stopped nor waited for.
            if (run.term().isValid()) {
                return run;
            }
            leave(run);
        }
        return null;
    }

    /** Adds a run, whose end the lock waits for. */
    void add(LeaderRun run) {
        runs.add(run);
    }

    /** Removes a run that has ended. */
    void leave(LeaderRun run) {
        runs.remove(run);
        run.ended();
    }

    /** Treats the runs on the calling thread, which closes the application context, as if their calls had returned. */
    void endRunsOfThisThread() {
        for (LeaderRun run : runs) {
            if (run.isOnThisThread()) {
                run.leaveThread();
                leave(run);
            }
        }
    }

    /**
     * Counts and logs the failure of a run. A failure after the end of its term is only logged.
     *
     * @param then the consequence in the term, for the log
     */
    void failed(LeaderRun run, Throwable failure, String then) {
        if (!run.term().isValid()) {
            log.warn(
                    "Lease {}: {} failed after its term with fencing token {} had ended",
                    lease.name(),
                    run.work(),
                    run.term().fencingToken(),
                    failure);
            return;
        }
        run.status().failed(failure, run.isGuarded() ? WorkLog.State.LAST_RUN_FAILED : WorkLog.State.FAILED);
        log.error(
                "Lease {}: {} failed in the term with fencing token {}; {}",
                lease.name(),
                run.work(),
                run.term().fencingToken(),
                then,
                failure);
    }

    /** Starts to run the work in the terms of its lock, including a running one, which an application's own lock may be in. */
    synchronized void attach() {
        lease.lock().addListener(this);
        // Not earlier: the lock must wait for an admitted call even if the term ends at once.
        attached = true;
        lease.lock().term().ifPresent(this::onGranted);
    }

    private static CompletableFuture<Void> endOf(List<LeaderRun> runs) {
        return CompletableFuture.allOf(runs.stream().map(LeaderRun::end).toArray(CompletableFuture[]::new));
    }

    @Override
    public synchronized void onGranted(Term term) {
        if (term.fencingToken() != begun) {
            begun = term.fencingToken();
            Term own = lease.withShard(term);
            tasks.forEach(task -> task.begin(own));
        }
    }

    @Override
    public void termEnded(Term term, RevokeReason reason) {
        runsOf(term).forEach(LeaderRun::requestStop);
    }

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        lastReason = reason;
        termEnded(term, reason);
        logs.values().forEach(WorkLog::termEnded);
    }

    @Override
    public CompletionStage<Void> drained(Term term) {
        List<LeaderRun> left = runsOf(term);
        RevokeReason reason = lastReason;
        Duration patience = isLost(reason) ? HEEDED_WITHIN : lease.drainTimeout();
        CompletableFuture<Void> all = endOf(left);
        if (!all.isDone()) {
            all.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
                left.stream().filter(run -> !run.end().isDone()).forEach(run -> overlaps(run, patience, reason));
                return null;
            });
        }
        return all;
    }

    /** Returns the runs of this term and of earlier ones. */
    private List<LeaderRun> runsOf(Term term) {
        return runs.stream()
                .filter(run -> run.term().fencingToken() <= term.fencingToken())
                .toList();
    }

    /** Returns whether another process may have had the lease before anything could be drained. */
    private static boolean isLost(RevokeReason reason) {
        return switch (reason) {
            case LEASE_LOST, RENEW_DEADLINE, SUSPENDED -> true;
            case END_OF_TERM, RESIGNED, STOPPED -> false;
        };
    }

    /** Counts and logs a run that is still running although the lease is no longer held for it: another process may lead at the same time. */
    private void overlaps(LeaderRun run, Duration since, RevokeReason reason) {
        run.status().overlapped();
        log.warn(
                "Lease {}: {} of the term with fencing token {} is still running on thread '{}' {} after its term ended ({});"
                        + " another process may lead meanwhile; a thread dump shows where it is",
                lease.name(),
                run.work(),
                run.term().fencingToken(),
                run.threadName(),
                Setting.text(since),
                reason);
    }
}
