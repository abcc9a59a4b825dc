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
 * A lease of this application: its settings, its lock, and its led work in this process. Thread-safe.
 *
 * <p>A lock has the settings that are configured under its name. A lock that the application provides itself, in a
 * {@code LeaseLocks} bean or under another name, has none. The log of how it is elected, {@code cle.on-lost},
 * {@code cle.candidate.requires} and Events then don't apply.
 *
 * <p>A lease with shards has one instance per shard.
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
     * @param name the lease's name in this application
     * @param settings the settings that the lock was created from; {@code null} for a lock that the application provides itself
     */
    public ApplicationLease(String name, CoordinatedLeaseLock lock, @Nullable LeaseSettings settings) {
        this.name = name;
        this.commonName = settings == null ? name : settings.commonName();
        this.shard = settings == null ? Optional.empty() : settings.shard();
        this.lock = lock;
        this.settings = settings;
    }

    /** Returns the lease's name in this application. */
    public String name() {
        return name;
    }

    /** Returns the name to which work is assigned: for a shard, the name of the whole lease; otherwise the lease's own. */
    public String commonName() {
        return commonName;
    }

    /** Returns the shard; empty if the lease has no shards. */
    public Optional<Shard> shard() {
        return shard;
    }

    public CoordinatedLeaseLock lock() {
        return lock;
    }

    /** Returns a term of the lock with the shard, which only a lock on a Lease in a cluster knows itself. */
    public Term withShard(Term term) {
        return shard.equals(term.shard())
                ? term
                : new LockTerm(term.lease(), shard, term.identity(), term.fencingToken(), term.acquireTime(), lock);
    }

    /** Returns the settings that the lock was created from; {@code null} for a lock that the application provides itself. */
    public @Nullable LeaseSettings settings() {
        return settings;
    }

    /** Returns how long the lock holds the lease after the end of a term for work that is still running. */
    public Duration drainTimeout() {
        return settings == null ? Duration.ofSeconds(30) : settings.drainTimeout();
    }

    /**
     * Adds led work of this lease.
     *
     * @param logs a view of the records of the work
     */
    public void addWork(Collection<WorkLog> logs) {
        work.add(logs);
    }

    /** Returns the status of all led work of this lease. */
    public List<WorkLog.Status> work() {
        return work.stream().flatMap(Collection::stream).map(WorkLog::status).toList();
    }
}
