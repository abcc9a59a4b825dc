package io.cle.spring.test;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.cle.CoordinatedLeaseLock;
import io.cle.OwnedLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.properties.internal.LeaseSettings;

/**
 * The leadership of an application under test, which the test grants and revokes. The methods of this class apply to
 * the default lease; use {@link #of(String)} for other leases, and {@link #of(String, int)} for a shard. Thread-safe.
 *
 * @see AutoConfigureLeadership
 */
public final class Leadership {

    private final Map<String, GrantableLock> locks = new LinkedHashMap<>();

    private final Supplier<CoordinatedLeaseLock> main;

    /**
     * Creates the leadership of an application.
     *
     * @param main supplies the lock of the default lease, which the application then joins
     */
    Leadership(Supplier<CoordinatedLeaseLock> main) {
        this.main = main;
    }

    synchronized OwnedLock lockOf(LeaseSettings settings, Executor callbacks) {
        GrantableLock lock = new GrantableLock(settings, callbacks);
        locks.put(settings.name(), lock);
        return lock;
    }

    /**
     * Begins a term of the default lease. Has no effect if a term is running.
     *
     * @return the running term, when all listeners have been called
     * @throws IllegalStateException if the application isn't a candidate, because it isn't ready yet or is being closed
     */
    public Term grant() {
        return main().grant();
    }

    /**
     * Ends the term of the default lease. Has no effect if no term is running. Returns when all listeners have been called; interrupted
     * work may still be running then, see {@link #awaitWorkEnded()}.
     *
     * @param reason the reason passed to the application
     */
    public void revoke(RevokeReason reason) {
        main().revoke(reason);
    }

    /**
     * Begins a term of a shard. Has no effect if a term is running.
     *
     * @param lease the name of the lease in the application: the key under {@code cle.leases}
     * @param shard the number of the shard, from 0
     * @return the running term, when all listeners have been called
     * @throws IllegalArgumentException if the application has no such lease, or the lease has no such shard
     * @throws IllegalStateException if the application isn't a candidate, because it isn't ready yet or is being closed
     */
    public Term grant(String lease, int shard) {
        return of(lease, shard).grant();
    }

    /**
     * Ends the term of a shard as a coordinator does that moves the shard to another replica ({@link RevokeReason#END_OF_TERM}). Has no
     * effect if no term is running. Returns when all listeners have been called.
     *
     * @param lease the name of the lease in the application: the key under {@code cle.leases}
     * @param shard the number of the shard, from 0
     * @throws IllegalArgumentException if the application has no such lease, or the lease has no such shard
     */
    public void revoke(String lease, int shard) {
        of(lease, shard).revoke(RevokeReason.END_OF_TERM);
    }

    /**
     * Waits until all work of the last term of the default lease has ended, at most for {@code cle.drain-timeout}.
     *
     * @throws AssertionError if the work has not ended by then
     */
    public void awaitWorkEnded() {
        main().awaitWorkEnded();
    }

    /**
     * Returns the leadership of one lease.
     *
     * @param lease its name in the application: the key under {@code cle.leases}, or the default lease's name
     * @throws IllegalArgumentException if the application has no such lease
     */
    public LeaseLeadership of(String lease) {
        return new LeaseLeadership(lock(lease));
    }

    /**
     * Returns the leadership of a shard.
     *
     * @param lease the name of the lease in the application: the key under {@code cle.leases}
     * @param shard the number of the shard, from 0
     * @throws IllegalArgumentException if the application has no such lease, or the lease has no such shard
     */
    public LeaseLeadership of(String lease, int shard) {
        List<GrantableLock> shards = shardsOf(lease);
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("the lease '"
                    + lock(lease).settings().name() + "' isn't led in parts (cle.leases." + lease + ".shards)");
        }
        if (shard < 0 || shard >= shards.size()) {
            throw new IllegalArgumentException(
                    "of the " + shards.size() + " shards of the lease '" + lease + "', none has the number " + shard);
        }
        return new LeaseLeadership(shards.get(shard));
    }

    private synchronized List<GrantableLock> shardsOf(String lease) {
        return locks.values().stream()
                .filter(lock -> lock.settings().shard().isPresent()
                        && lock.settings().commonName().equals(lease))
                .toList();
    }

    private synchronized GrantableLock lock(String lease) {
        GrantableLock lock = locks.get(lease);
        // Getting the lock of the default lease makes the application join it.
        if (lock == null
                && main.get() instanceof GrantableLock ofDefault
                && ofDefault.settings().name().equals(lease)) {
            lock = ofDefault;
        }
        if (lock == null) {
            int shards = shardsOf(lease).size();
            throw new IllegalArgumentException(
                    shards > 0
                            ? "the lease '" + lease + "' is led in " + shards
                                    + " shards; name one of them by its number," + " from 0"
                            : "there is no lease '" + lease + "'; there are " + names());
        }
        return lock;
    }

    private Set<String> names() {
        return locks.values().stream()
                .map(lock -> lock.settings().commonName())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private GrantableLock main() {
        if (main.get() instanceof GrantableLock lock) {
            return lock;
        }
        throw new IllegalStateException(
                "the application has no leases; leader election is switched off (cle.enabled) or replaced");
    }

    private synchronized List<GrantableLock> all() {
        return List.copyOf(locks.values());
    }

    /** Revokes all granted leadership and waits for the work, so that the next test starts without leadership. */
    void reset() {
        List<GrantableLock> all = all();
        for (GrantableLock lock : all) {
            lock.revoke(RevokeReason.RESIGNED);
        }
        for (GrantableLock lock : all) {
            lock.awaitWorkEnded();
        }
    }

    /** The leadership of one lease of an application under test. Thread-safe. */
    public static final class LeaseLeadership {

        private final GrantableLock lock;

        private LeaseLeadership(GrantableLock lock) {
            this.lock = lock;
        }

        /** Like {@link Leadership#grant()}, for this lease. */
        public Term grant() {
            return lock.grant();
        }

        /** Like {@link Leadership#revoke}, for this lease. */
        public void revoke(RevokeReason reason) {
            lock.revoke(reason);
        }

        /** Like {@link Leadership#awaitWorkEnded()}, for this lease. */
        public void awaitWorkEnded() {
            lock.awaitWorkEnded();
        }
    }
}
