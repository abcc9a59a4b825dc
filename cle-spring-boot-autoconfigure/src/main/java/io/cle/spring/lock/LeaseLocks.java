package io.cle.spring.lock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.MockedLock;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LockOrigin;
import org.springframework.beans.factory.ObjectProvider;

/**
 * All locks of an application by the names of their leases, the default one first. A lease that is led in parts has one for each shard, by
 * the names {@code <name>-<shards>-<index>}. {@link RuntimeLeases} adds and removes leases while
 * the application runs; a map or set that was returned before doesn't change. Thread-safe.
 */
public final class LeaseLocks {

    private final CoordinatedLeaseLock main;
    private final Leases leases;

    /**
     * Collects locks that the application makes itself.
     *
     * @param main the lock of the default lease
     * @param further the others, by the names that they have under {@code cle.leases}
     */
    public LeaseLocks(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> further) {
        this(main, withoutSettings(main, further));
    }

    LeaseLocks(CoordinatedLeaseLock main, List<Lease> leases) {
        this.main = main;
        this.leases = new Leases(leases);
    }

    private static List<Lease> withoutSettings(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> further) {
        List<Lease> all = new ArrayList<>();
        all.add(Lease.configured(main.name(), main, null));
        further.forEach((name, lock) -> all.add(Lease.configured(name, lock, null)));
        return all;
    }

    /**
     * Creates the locks of an application's leases.
     *
     * @param lockOfDefault the lock of the default lease, which an application or its test may have replaced
     * @param factory creates the other locks, unless a test has replaced the lock of the default lease
     */
    static LeaseLocks of(
            CoordinatedLeaseLock lockOfDefault,
            ConfiguredLeases configured,
            LeaderMigration migration,
            LockOrigin origin,
            LockThreads threads,
            ObjectProvider<LeaseLockFactory> factory) {
        CoordinatedLeaseLock main =
                MockedLock.withAnswers(lockOfDefault, () -> MockedLock.neverStarted(configured.main(), threads));
        List<Lease> all = new ArrayList<>();
        // By its name: a lock of the application's own has another one, and a test's mock or spy has the same.
        all.add(Lease.configured(main.name(), main, configured.find(main.name()).orElse(null)));
        for (LeaseSettings settings : configured.further()) {
            all.add(Lease.configured(
                    settings.name(),
                    origin == LockOrigin.TEST
                            ? MockedLock.neverStarted(settings, threads)
                            : migration.place(
                                    settings.name(), factory.getObject().create(settings), lockOfDefault),
                    settings));
        }
        return new LeaseLocks(main, all);
    }

    /** Returns the leases that these are the locks of. */
    Leases leases() {
        return leases;
    }

    /** Returns the lock of the default lease. */
    public CoordinatedLeaseLock main() {
        return main;
    }

    /** Returns the name of the default lease. */
    public String mainName() {
        return main.name();
    }

    /**
     * Returns the lock of a lease.
     *
     * @throws IllegalArgumentException when there is no such lease; the message lists those there are
     */
    public CoordinatedLeaseLock get(String name) {
        return leases.get(name).lock();
    }

    /** Returns the lock of a lease; empty when there is no such lease. */
    public Optional<CoordinatedLeaseLock> find(String name) {
        return leases.find(name).map(Lease::lock);
    }

    /** Returns the names of all leases, the default one first. */
    public Set<String> names() {
        return leases.byName().keySet();
    }

    /** Returns all locks by the names of their leases, the default one first. */
    public Map<String, CoordinatedLeaseLock> asMap() {
        Map<String, CoordinatedLeaseLock> locks = new LinkedHashMap<>();
        leases.all().forEach(lease -> locks.put(lease.name(), lease.lock()));
        return Collections.unmodifiableMap(locks);
    }
}
