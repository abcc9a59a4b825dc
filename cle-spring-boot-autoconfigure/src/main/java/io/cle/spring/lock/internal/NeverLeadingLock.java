package io.cle.spring.lock.internal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.Resignation;
import io.cle.Role;
import io.cle.Term;
import io.cle.Timings;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The lock of an application that has switched leader election off ({@code cle.enabled=false}): it can be injected, is no candidate
 * and never leads. Its listeners are never called. Immutable.
 */
public final class NeverLeadingLock implements CoordinatedLeaseLock {

    private final ObjectKey lease;
    private final String identity;
    private final Instant created = Instant.now();

    /**
     * A lock that never leads.
     *
     * @param lease the lease that it would lead by
     * @param identity the identity that it would have
     */
    public NeverLeadingLock(ObjectKey lease, String identity) {
        this.lease = lease;
        this.identity = identity;
    }

    /** A lock that never leads, by the name of its lease alone. */
    public static NeverLeadingLock of(String lease) {
        return new NeverLeadingLock(new ObjectKey("default", lease), lease);
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public boolean isLeader() {
        return false;
    }

    @Override
    public Optional<String> leader() {
        return Optional.empty();
    }

    @Override
    public Optional<Term> term() {
        return Optional.empty();
    }

    @Override
    public OptionalLong fencingToken() {
        return OptionalLong.empty();
    }

    @Override
    public CompletionStage<Resignation> resign() {
        return CompletableFuture.completedFuture(Resignation.NOT_LEADING);
    }

    @Override
    public CompletionStage<Resignation> resign(String successor) {
        return resign();
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        // There is no candidate to announce it.
    }

    @Override
    public LockSnapshot snapshot() {
        return new LockSnapshot(
                lease,
                identity,
                false,
                Timings.DEFAULT,
                Role.STOPPED,
                null,
                LockSnapshot.Observed.NOTHING,
                null,
                LockSnapshot.Contacts.unneeded(created),
                List.of(),
                LockSnapshot.Measurements.NONE);
    }

    @Override
    public void addListener(LeadershipListener listener) {
        // There is nothing to call it for.
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        // There is nothing to call it for.
    }
}
