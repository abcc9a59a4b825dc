package io.cle.migration.internal;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.OwnedLock;
import io.cle.Registration;
import io.cle.Resignation;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.lock.internal.LockTerm;
import io.cle.lock.internal.WorkInterrupter;
import org.jspecify.annotations.Nullable;

/**
 * A lock that leads only within the terms of another, outer lock of this process: it is a candidate only while the outer lock leads, and
 * the outer lease is handed over only after the inner one.
 *
 * <p>Leader migration needs it (KEP-2436: components acquire the main lock first, and exit when they lose it). During a roll-out, replicas
 * with the migration's configuration and replicas without it share the main lease. Replicas without it run all controllers under the main
 * lease, so replicas with it may run the migrating ones only while they hold the main lease.
 */
public final class NestedLock implements OwnedLock {

    private final CoordinatedLeaseLock outer;
    private final OwnedLock inner;
    private boolean wanted;
    private boolean outerLeads;
    /** The fencing token of the outer lock's last term that has ended. */
    private long endedToken = Long.MIN_VALUE;

    private CompletionStage<Void> stopped = CompletableFuture.completedFuture(null);

    /**
     * Nests one lock in another. Neither may be started yet, and the inner one must be used through this one only.
     *
     * @param outer the outer lock, which this lock doesn't start or stop
     * @param inner the inner lock, a candidate while the outer one leads
     */
    public NestedLock(CoordinatedLeaseLock outer, OwnedLock inner) {
        this.outer = outer;
        this.inner = inner;
        outer.addListener(new Outer());
    }

    private final class Outer implements WorkInterrupter {

        /** Stops the inner lock at once: its work must not continue because a listener of the outer lock blocks. */
        @Override
        public void termEnded(Term term, RevokeReason reason) {
            outerChanged(term, false);
        }

        @Override
        public void onGranted(Term term) {
            outerChanged(term, true);
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            outerChanged(term, false);
        }

        @Override
        public CompletionStage<Void> drained(Term term) {
            return innerStopped();
        }
    }

    /** Starts or stops the inner lock. If the end of a term is reported before its beginning, the beginning is ignored. */
    private synchronized void outerChanged(Term term, boolean leads) {
        if (term.fencingToken() <= endedToken) {
            return;
        }
        if (!leads) {
            endedToken = term.fencingToken();
        }
        outerLeads = leads;
        if (!leads) {
            stopped = inner.stop();
        } else if (wanted) {
            inner.start();
        }
    }

    private synchronized CompletionStage<Void> innerStopped() {
        return stopped;
    }

    @Override
    public String name() {
        return inner.name();
    }

    /** Becomes a candidate as soon as the outer lock leads, and for as long as it does. */
    @Override
    public synchronized void start() {
        wanted = true;
        if (outerLeads) {
            inner.start();
        }
    }

    /** Whether it is a candidate, or will be one while the outer lock leads. */
    @Override
    public synchronized boolean isRunning() {
        return wanted;
    }

    @Override
    public synchronized CompletionStage<Void> stop() {
        wanted = false;
        stopped = inner.stop();
        return stopped;
    }

    @Override
    public void close() {
        synchronized (this) {
            wanted = false;
        }
        inner.close();
    }

    /** {@inheritDoc} Never true while the outer lock doesn't lead, even before the inner lock is stopped. */
    @Override
    public boolean isLeader() {
        return outer.isLeader() && inner.isLeader();
    }

    @Override
    public Optional<String> leader() {
        return inner.leader();
    }

    @Override
    public Optional<Term> term() {
        return outer.isLeader() ? inner.term().map(term -> LockTerm.of(term, this)) : Optional.empty();
    }

    @Override
    public OptionalLong fencingToken() {
        return outer.isLeader() ? inner.fencingToken() : OptionalLong.empty();
    }

    @Override
    public CompletionStage<Resignation> resign() {
        return inner.resign();
    }

    @Override
    public CompletionStage<Resignation> resign(String successor) {
        return inner.resign(successor);
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        inner.announcePriority(priority);
    }

    @Override
    public LockSnapshot snapshot() {
        return inner.snapshot();
    }

    @Override
    public Registration addListener(LeadershipListener listener) {
        return inner.addListener(new Within(listener));
    }

    /** Passes events of the inner lock on to a listener of this lock. The terms passed on are over as soon as the outer lock doesn't lead. */
    private final class Within implements WorkInterrupter {

        private final LeadershipListener listener;

        private Within(LeadershipListener listener) {
            this.listener = listener;
        }

        @Override
        public void termEnded(Term term, RevokeReason reason) {
            if (listener instanceof WorkInterrupter work) {
                work.termEnded(LockTerm.of(term, NestedLock.this), reason);
            }
        }

        @Override
        public void onAnnounced() {
            listener.onAnnounced();
        }

        @Override
        public void onGranted(Term term) {
            listener.onGranted(LockTerm.of(term, NestedLock.this));
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            listener.onRevoked(LockTerm.of(term, NestedLock.this), reason);
        }

        @Override
        public CompletionStage<Void> drained(Term term) {
            return listener.drained(LockTerm.of(term, NestedLock.this));
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            listener.onLeaderChanged(holder);
        }
    }
}
