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
 * A lock whose terms lie within the terms of another lock of this process: it is a candidate only while the outer one leads,
 * it never leads without it, and the outer lease is handed over only after the inner one.
 *
 * <p>Leader migration needs it (KEP-2436; its components take the main lock first, and end when they lose it). Replicas that know of
 * the migration and replicas that don't share the main lease for as long as an update takes. The latter run all controllers under
 * it; so the former may run the migrating ones only while they have it.
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
     * @param outer is not started or stopped from here
     * @param inner is a candidate while the outer one leads
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

    /** The end of a term may be reported before its beginning, which then begins nothing. */
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

    /** Is a candidate as soon as, and as long as, the outer lock leads. */
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

    /** {@inheritDoc} Never true while the outer lock doesn't lead, even before the inner one was asked to stop. */
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

    /** A listener of this lock: the inner lock's terms reach it as this lock's, which are over as soon as the outer lock doesn't lead. */
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
