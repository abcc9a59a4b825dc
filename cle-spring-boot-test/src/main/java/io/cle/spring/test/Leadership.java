package io.cle.spring.test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import io.cle.OwnedLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.properties.internal.LeaseSettings;

/**
 * The leadership of an application under test, which the test grants and revokes. The methods of this class apply to the default lease; use
 * {@link #of} for other leases. Thread-safe.
 *
 * @see AutoConfigureLeadership
 */
public final class Leadership {

    private final Map<String, GrantableLock> locks = new LinkedHashMap<>();

    Leadership() {}

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

    private synchronized GrantableLock lock(String lease) {
        GrantableLock lock = locks.get(lease);
        if (lock == null) {
            throw new IllegalArgumentException("there is no lease '" + lease + "'; there are " + locks.keySet());
        }
        return lock;
    }

    private synchronized GrantableLock main() {
        return locks.values().stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the application has no leases; leader election is switched off (cle.enabled) or replaced"));
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

        /** As {@link Leadership#grant()}, for this lease. */
        public Term grant() {
            return lock.grant();
        }

        /** As {@link Leadership#revoke}, for this lease. */
        public void revoke(RevokeReason reason) {
            lock.revoke(reason);
        }

        /** As {@link Leadership#awaitWorkEnded()}, for this lease. */
        public void awaitWorkEnded() {
            lock.awaitWorkEnded();
        }
    }
}
