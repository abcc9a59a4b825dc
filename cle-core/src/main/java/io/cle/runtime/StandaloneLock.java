package io.cle.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.lock.LockKind;
import io.cle.lock.RevokeReason;
import io.cle.lock.Role;
import io.cle.lock.Term;
import io.cle.model.Moment;
import io.cle.model.ObjectKey;
import io.cle.model.Timings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock without a cluster: this process leads from its start until its stop ({@code cle.mode=standalone}). It can't resign, as
 * there is nobody else; it leads again at once. Its fencing tokens count its terms.
 */
public final class StandaloneLock implements CoordinatedLeaseLock {

    private static final Logger log = LoggerFactory.getLogger(StandaloneLock.class);

    private final ObjectKey lease;
    private final String identity;
    private final Duration drainTimeout;
    private final EventLoop loop;
    private final LockListeners listeners;
    private final History history = new History();
    private final Instant created;
    private volatile @Nullable Term term;
    private volatile boolean running;
    private long terms;

    /**
     * Makes a lock that does nothing yet.
     *
     * @param drainTimeout how long {@link #close()} waits for the listeners
     * @param callbacks runs the listeners, one task at a time and in order
     */
    public StandaloneLock(ObjectKey lease, String identity, Duration drainTimeout, EventLoop loop, Executor callbacks) {
        this.lease = lease;
        this.identity = identity;
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
                begin();
            }
        });
    }

    private void begin() {
        Term begun = new Term(lease, identity, ++terms, loop.clock().wall());
        term = begun;
        history.add(begun.acquireTime(), "leads, as there is no cluster");
        listeners.leaderChanged(identity);
        listeners.granted(begun);
    }

    private void end(RevokeReason reason, Runnable afterwards) {
        Term ended = term;
        if (ended == null) {
            afterwards.run();
            return;
        }
        term = null;
        history.add(loop.clock().wall(), "no longer leads (" + reason + ")");
        listeners.revoked(ended, reason, () -> loop.execute(afterwards));
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
            end(RevokeReason.STOPPED, () -> stopped.complete(null));
        });
        return stopped;
    }

    @Override
    public void close() {
        try {
            stop().toCompletableFuture().get(drainTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("lease {}: interrupted while stopping", lease);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("lease {}: the guarded work did not end within {}", lease, drainTimeout, e);
        }
    }

    @Override
    public boolean isLeader() {
        return term != null;
    }

    @Override
    public Optional<String> leader() {
        return isLeader() ? Optional.of(identity) : Optional.empty();
    }

    @Override
    public OptionalLong fencingToken() {
        Term current = term;
        return current == null ? OptionalLong.empty() : OptionalLong.of(current.fencingToken());
    }

    @Override
    public CompletionStage<Void> resign() {
        CompletableFuture<@Nullable Void> resigned = new CompletableFuture<>();
        loop.execute(() -> end(RevokeReason.RESIGNED, () -> {
            resigned.complete(null);
            if (running && term == null) {
                begin();
            }
        }));
        return resigned;
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        log.debug("lease {}: there is nobody to announce priority {} to", lease, priority);
    }

    @Override
    public void addListener(LeadershipListener listener) {
        listeners.add(listener);
    }

    @Override
    public LockSnapshot snapshot() {
        Term current = term;
        Moment now = loop.clock().now();
        Role idle = running ? Role.CANDIDATE : Role.STOPPED;
        return new LockSnapshot(
                lease,
                LockKind.DIRECT,
                current == null ? idle : Role.LEADER,
                identity,
                current == null ? null : identity,
                current == null ? null : current.fencingToken(),
                current == null ? null : current.acquireTime(),
                current == null ? null : now.wall(),
                null,
                null,
                (int) terms,
                false,
                null,
                null,
                Timings.DEFAULT,
                new LockSnapshot.Contact(true, created, null),
                null,
                history.entries());
    }
}
