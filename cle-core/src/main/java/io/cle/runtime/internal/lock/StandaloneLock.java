package io.cle.runtime.internal.lock;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.Resignation;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.Timings;
import io.cle.lock.internal.LockKind;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock without a cluster: this process is the only candidate ({@code cle.mode=standalone}), and leads from its start until its stop.
 * Apart from that it does what a lock in a cluster does: a term ends in the same order of events, its work is drained for at most the
 * drain timeout, and after {@link #resign()} this process stays out for one lease duration.
 *
 * <p>Its fencing tokens are microseconds of the wall clock, so that they grow from term to term across restarts too, unless the clock
 * is set back while the process is down.
 */
public final class StandaloneLock implements CoordinatedLeaseLock {

    private static final Logger log = LoggerFactory.getLogger(StandaloneLock.class);

    private final ObjectKey lease;
    private final String identity;
    private final Timings timings;
    private final Duration drainTimeout;
    private final EventLoop loop;
    private final LockListeners listeners;
    private final History history = new History();
    private final Instant created;
    /** Completed when no term runs or is drained. Only touched on the loop. */
    private final List<CompletableFuture<@Nullable Void>> waiters = new ArrayList<>();
    /** Whether this process is a candidate. Written on the loop. */
    private volatile boolean running;
    /** Written on the loop. */
    private volatile Phase phase = new Idle();
    /** The token of the last term; 0 before the first. Only touched on the loop. */
    private long lastToken;
    /** How many terms there were. Written on the loop. */
    private volatile int terms;

    /** What the lock does. */
    private sealed interface Phase {}

    /** It leads no term, and begins one as soon as it is started. */
    private record Idle() implements Phase {}

    /** It leads. */
    private record Leading(Term term) implements Phase {}

    /**
     * The term has ended, and its work has not.
     *
     * @param giveUp fires when the drain timeout is over
     */
    private record Draining(Term term, RevokeReason reason, EventLoop.Timer giveUp) implements Phase {}

    /**
     * It has resigned and stays out.
     *
     * @param end fires when it may lead again
     */
    private record Resting(EventLoop.Timer end) implements Phase {}

    /**
     * Makes a lock that does nothing yet.
     *
     * @param timings for how long it stays out after it has resigned: the lease duration
     * @param drainTimeout how long the work of a term that has ended is waited for
     * @param loop runs the transitions
     * @param callbacks runs the listeners, in an order that the lock keeps; two tasks of a lock at a time at most; not the loop
     */
    public StandaloneLock(
            ObjectKey lease,
            String identity,
            Timings timings,
            Duration drainTimeout,
            EventLoop loop,
            Executor callbacks) {
        this.lease = lease;
        this.identity = identity;
        this.timings = timings;
        this.drainTimeout = drainTimeout;
        this.loop = loop;
        this.listeners = new LockListeners(lease.toString(), callbacks);
        this.created = loop.clock().wall();
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public void start() {
        loop.execute(() -> {
            if (!running) {
                running = true;
                listeners.announced();
                if (phase instanceof Idle) {
                    becomeLeading();
                }
            }
        });
    }

    private void becomeLeading() {
        Instant now = loop.clock().wall();
        lastToken = Math.max(lastToken + 1, ChronoUnit.MICROS.between(Instant.EPOCH, now));
        int before = terms;
        terms = before + 1;
        Term term = new Term(lease, identity, lastToken, now);
        phase = new Leading(term);
        history.add(now, "leads, because there is no cluster");
        listeners.granted(term);
        listeners.leaderChanged(identity);
    }

    private void becomeDraining(Leading leading, RevokeReason reason) {
        Draining draining =
                new Draining(leading.term(), reason, loop.schedule(drainTimeout, () -> drained(leading.term(), false)));
        phase = draining;
        history.add(loop.clock().wall(), "no longer leads (" + reason + ")");
        listeners.revoked(leading.term(), reason, () -> loop.execute(() -> drained(leading.term(), true)));
    }

    private void drained(Term term, boolean ended) {
        if (!(phase instanceof Draining draining) || !draining.term().equals(term)) {
            return;
        }
        if (!ended) {
            history.add(loop.clock().wall(), "the work of the term did not end within " + drainTimeout);
            log.warn("lease {}: the work of the term did not end within {}; not waiting for it", lease, drainTimeout);
        }
        draining.giveUp().cancel();
        listeners.leaderChanged(null);
        becomeIdle();
        if (running && draining.reason() == RevokeReason.RESIGNED) {
            phase = new Resting(loop.schedule(timings.leaseDuration(), this::rested));
        } else if (running) {
            becomeLeading();
        }
    }

    private void rested() {
        becomeIdle();
        if (running) {
            becomeLeading();
        }
    }

    private void becomeIdle() {
        phase = new Idle();
        List<CompletableFuture<@Nullable Void>> done = List.copyOf(waiters);
        waiters.clear();
        done.forEach(waiter -> waiter.complete(null));
    }

    /** Ends the term, if there is one, and completes when it is drained. */
    private void end(RevokeReason reason, CompletableFuture<@Nullable Void> whenDrained) {
        if (phase instanceof Leading leading) {
            waiters.add(whenDrained);
            becomeDraining(leading, reason);
        } else if (phase instanceof Draining) {
            waiters.add(whenDrained);
        } else {
            whenDrained.complete(null);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public CompletionStage<Void> stop() {
        CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
        loop.execute(() -> {
            running = false;
            if (phase instanceof Resting resting) {
                resting.end().cancel();
                becomeIdle();
            }
            end(RevokeReason.STOPPED, stopped);
        });
        return stopped;
    }

    @Override
    public void close() {
        Duration patience = drainTimeout.plus(timings.leaseDuration());
        try {
            stop().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("lease {}: interrupted while stopping", lease);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("lease {}: did not stop within {}", lease, patience, e);
        }
    }

    @Override
    public boolean isLeader() {
        return phase instanceof Leading;
    }

    @Override
    public Optional<String> leader() {
        return isHeld(phase) ? Optional.of(identity) : Optional.empty();
    }

    private static boolean isHeld(Phase phase) {
        return phase instanceof Leading || phase instanceof Draining;
    }

    @Override
    public OptionalLong fencingToken() {
        return phase instanceof Leading leading ? OptionalLong.of(leading.term().fencingToken()) : OptionalLong.empty();
    }

    @Override
    public CompletionStage<Resignation> resign() {
        CompletableFuture<Resignation> resigned = new CompletableFuture<>();
        loop.execute(() -> {
            Resignation outcome = phase instanceof Leading ? Resignation.RELEASED : Resignation.NOT_LEADING;
            CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
            ended.thenRun(() -> resigned.complete(outcome));
            end(RevokeReason.RESIGNED, ended);
        });
        return resigned;
    }

    /** {@inheritDoc} There is no other candidate that could be named. */
    @Override
    public CompletionStage<Resignation> resign(String successor) {
        CompletableFuture<Resignation> resigned = new CompletableFuture<>();
        loop.execute(() ->
                resigned.complete(phase instanceof Leading ? Resignation.NOT_A_CANDIDATE : Resignation.NOT_LEADING));
        return resigned;
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        log.debug("lease {}: priority {} is not announced, because there is no cluster", lease, priority);
    }

    @Override
    public void addListener(LeadershipListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        listeners.remove(listener);
    }

    @Override
    public LockSnapshot snapshot() {
        Phase current = phase;
        Term term = current instanceof Leading leading ? leading.term() : null;
        Moment now = loop.clock().now();
        return new LockSnapshot(
                lease,
                LockKind.DIRECT,
                roleOf(current),
                identity,
                isHeld(current) ? identity : null,
                term == null ? null : term.fencingToken(),
                term == null ? null : term.acquireTime(),
                term == null ? null : now.wall(),
                null,
                null,
                terms,
                false,
                null,
                null,
                timings,
                new LockSnapshot.Contact(true, created, null),
                null,
                null,
                history.entries(),
                LockSnapshot.Measurements.NONE);
    }

    private Role roleOf(Phase current) {
        if (current instanceof Leading) {
            return Role.LEADER;
        }
        if (current instanceof Draining) {
            return Role.DRAINING;
        }
        return running ? Role.CANDIDATE : Role.STOPPED;
    }
}
