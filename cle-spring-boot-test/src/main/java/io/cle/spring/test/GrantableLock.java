package io.cle.spring.test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.OwnedLock;
import io.cle.Registration;
import io.cle.Resignation;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockListeners;
import io.cle.lock.internal.LockTerm;
import io.cle.lock.internal.Snapshot;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lock whose terms a test begins and ends. Calls its listeners as a lock on a lease does. Thread-safe. */
final class GrantableLock implements OwnedLock {

    private static final Logger log = LoggerFactory.getLogger(GrantableLock.class);

    private final GrantableLock original = this;
    private final LeaseSettings settings;
    private final Instant created = Instant.now();
    private final LockListeners listeners;
    private volatile @Nullable Term term;
    private volatile boolean running;
    private CompletableFuture<@Nullable Void> workEnded = CompletableFuture.completedFuture(null);
    private long terms;

    /**
     * Creates a lock that isn't a candidate yet.
     *
     * @param callbacks runs the listeners, each task on its own thread
     */
    GrantableLock(LeaseSettings settings, Executor callbacks) {
        this.settings = settings;
        this.listeners = new LockListeners(settings.lease().toString(), callbacks);
    }

    LeaseSettings settings() {
        return settings;
    }

    /** Begins a term; returns when all listeners have been called. */
    Term grant() {
        Term begun;
        synchronized (this) {
            Term current = term;
            if (current != null) {
                return current;
            }
            if (!running) {
                throw new IllegalStateException("lease " + settings.name()
                        + ": the application is not a candidate; it isn't ready yet, or is being closed");
            }
            begun = new LockTerm(settings.lease(), settings.shard(), settings.identity(), ++terms, Instant.now(), this);
            term = begun;
            listeners.granted(begun);
            listeners.leaderChanged(settings.identity());
        }
        calls().join();
        return begun;
    }

    /** Ends the term; returns when all listeners have been called. */
    void revoke(RevokeReason reason) {
        end(reason).join();
    }

    /** Ends the term. The future completes when all listeners have been called. It isn't awaited here, because a listener may resign. */
    private synchronized CompletableFuture<@Nullable Void> end(RevokeReason reason) {
        Term ended = term;
        if (ended == null) {
            return CompletableFuture.completedFuture(null);
        }
        term = null;
        CompletableFuture<@Nullable Void> drained = new CompletableFuture<>();
        listeners.revoked(ended, reason, () -> drained.complete(null));
        workEnded = drained.thenCompose(unused -> {
            listeners.leaderChanged(null);
            return calls();
        });
        return calls();
    }

    /** Returns a future that completes when all listeners have been called for all events so far. */
    private CompletableFuture<@Nullable Void> calls() {
        CompletableFuture<@Nullable Void> called = new CompletableFuture<>();
        listeners.afterCalls(() -> called.complete(null));
        return called;
    }

    void awaitWorkEnded() {
        try {
            drained().get(settings.drainTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    "lease " + settings.name() + ": the work has not ended within " + settings.drainTimeout(), e);
        }
    }

    private synchronized CompletableFuture<@Nullable Void> drained() {
        return workEnded;
    }

    @Override
    public String name() {
        return settings.lease().name();
    }

    @Override
    public void start() {
        LeaseLock.requireOriginal(original, this, settings.lease());
        if (!running) {
            running = true;
            listeners.announced();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public CompletionStage<Void> stop() {
        listeners.leaveListener();
        running = false;
        end(RevokeReason.STOPPED);
        return drained();
    }

    @Override
    public void close() {
        stop();
        awaitWorkEnded();
    }

    @Override
    public boolean isLeader() {
        return term != null;
    }

    @Override
    public Optional<String> leader() {
        return isLeader() ? Optional.of(settings.identity()) : Optional.empty();
    }

    @Override
    public Optional<Term> term() {
        return Optional.ofNullable(term);
    }

    @Override
    public OptionalLong fencingToken() {
        Term current = term;
        return current == null ? OptionalLong.empty() : OptionalLong.of(current.fencingToken());
    }

    @Override
    public CompletionStage<Resignation> resign() {
        Resignation outcome = isLeader() ? Resignation.RELEASED : Resignation.NOT_LEADING;
        end(RevokeReason.RESIGNED);
        return drained().thenApply(unused -> outcome);
    }

    /** {@inheritDoc} In a test every successor is accepted, because there are no other processes. */
    @Override
    public CompletionStage<Resignation> resign(String successor) {
        return resign();
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        log.debug("Lease {}: priority {} is announced to no coordinator in a test", settings.name(), priority);
    }

    @Override
    public LockSnapshot snapshot() {
        Term current = term;
        Instant since = current == null ? null : current.acquireTime();
        return new Snapshot(
                settings.lease(),
                settings.identity(),
                settings.config().coordinated(),
                settings.timings(),
                current != null ? Role.LEADER : running ? Role.CANDIDATE : Role.STOPPED,
                current == null
                        ? null
                        : new LockSnapshot.Leading(
                                current.fencingToken(), settings.timings().renewDeadline()),
                new Snapshot.Seen(
                        current == null ? null : settings.identity(),
                        since,
                        since,
                        null,
                        strategy(),
                        (int) terms,
                        false,
                        null,
                        null),
                null,
                null,
                null,
                LockSnapshot.Contacts.unneeded(created),
                List.of(),
                LockSnapshot.Measurements.NONE);
    }

    private String strategy() {
        LockConfig.Candidacy candidacy = settings.config().candidacy();
        return candidacy == null
                ? settings.properties().candidate().strategy()
                : candidacy.template().strategy();
    }

    @Override
    public Registration addListener(LeadershipListener listener) {
        return listeners.add(listener);
    }
}
