package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.cle.CoordinatedLeaseLock;
import io.cle.Shard;
import io.cle.Term;
import io.cle.lock.internal.LockTerm;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this application: its settings, its lock, the work that it leads in this process, and what is observed of its terms. Thread-safe.
 *
 * <p>A lock has the settings that are configured under its name. It has none if the application brings it itself: in a {@code LeaseLocks} bean,
 * or under another name. What follows from the settings then doesn't apply: the log of how it is elected, {@code cle.on-lost},
 * {@code cle.candidate.requires}, and Events.
 *
 * <p>A lease that is led in parts is one of these for each shard.
 */
public final class ApplicationLease {

    private final String name;
    private final String commonName;
    private final Optional<Shard> shard;
    private final CoordinatedLeaseLock lock;
    private final @Nullable LeaseSettings settings;

    private final List<Collection<WorkLog>> work = new CopyOnWriteArrayList<>();

    /**
     * Creates a lease.
     *
     * @param name what the lease is called in this application
     * @param settings what the lock was made from; {@code null} for a lock that the application brings itself
     */
    public ApplicationLease(String name, CoordinatedLeaseLock lock, @Nullable LeaseSettings settings) {
        this.name = name;
        this.commonName = settings == null ? name : settings.commonName();
        this.shard = settings == null ? Optional.empty() : settings.shard();
        this.lock = lock;
        this.settings = settings;
    }

    /** Returns what the lease is called in this application. */
    public String name() {
        return name;
    }

    /** Returns the name by which work is assigned to it: that of the lease that it is a shard of, or else its own. */
    public String commonName() {
        return commonName;
    }

    /** Returns the shard that it is; empty if the lease isn't led in parts. */
    public Optional<Shard> shard() {
        return shard;
    }

    public CoordinatedLeaseLock lock() {
        return lock;
    }

    /** Returns a term of its lock with the shard, which a lock that isn't on a Lease in a cluster doesn't know. */
    public Term withShard(Term term) {
        return shard.equals(term.shard())
                ? term
                : new LockTerm(term.lease(), shard, term.identity(), term.fencingToken(), term.acquireTime(), lock);
    }

    /** Returns the settings that the lock was made from; {@code null} for a lock that the application brings itself. */
    public @Nullable LeaseSettings settings() {
        return settings;
    }

    /** Returns how long the lock holds the lease for work that is still running after the end of its term. */
    public Duration drainTimeout() {
        return settings == null ? Duration.ofSeconds(30) : settings.drainTimeout();
    }

    /**
     * Adds work that this lease leads.
     *
     * @param logs a view of the records of the work
     */
    public void addWork(Collection<WorkLog> logs) {
        work.add(logs);
    }

    /** Returns the status of all work that this lease leads. */
    public List<WorkLog.Status> work() {
        return work.stream().flatMap(Collection::stream).map(WorkLog::status).toList();
    }
}
