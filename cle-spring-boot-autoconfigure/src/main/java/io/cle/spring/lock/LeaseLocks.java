package io.cle.spring.lock;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.MockedLock;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LockOrigin;
import org.springframework.beans.factory.ObjectProvider;

/** All locks of an application by the names of their leases, the default one first. {@link RuntimeLeases} adds and removes some while the
 * application runs; what a method has returned doesn't change. Thread-safe. */
public final class LeaseLocks {

    private final CoordinatedLeaseLock main;
    private volatile Map<String, CoordinatedLeaseLock> byName;

    /**
     * Collects the locks.
     *
     * @param main the lock of the default lease
     * @param further the others, by the names that they have under {@code cle.leases}
     */
    public LeaseLocks(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> further) {
        this.main = main;
        Map<String, CoordinatedLeaseLock> all = new LinkedHashMap<>();
        all.put(main.name(), main);
        all.putAll(further);
        byName = Collections.unmodifiableMap(all);
    }

    /**
     * Creates the locks of the leases of an application.
     *
     * @param main the lock of the default lease, which an application or its test may have replaced
     * @param factory makes the others, unless a test has replaced the lock of the default lease
     */
    static LeaseLocks of(
            CoordinatedLeaseLock main,
            Leases leases,
            LeaderMigration migration,
            LockOrigin origin,
            LockThreads threads,
            ObjectProvider<LeaseLockFactory> factory) {
        Map<String, CoordinatedLeaseLock> further = new LinkedHashMap<>();
        for (LeaseSettings lease : leases.further()) {
            further.put(
                    lease.name(),
                    origin == LockOrigin.TEST
                            ? MockedLock.neverStarted(lease, threads)
                            : migration.place(lease.name(), factory.getObject().create(lease), main));
        }
        return new LeaseLocks(
                MockedLock.withAnswers(main, () -> MockedLock.neverStarted(leases.main(), threads)), further);
    }

    synchronized void add(String name, CoordinatedLeaseLock lock) {
        Map<String, CoordinatedLeaseLock> all = new LinkedHashMap<>(byName);
        all.put(name, lock);
        byName = Collections.unmodifiableMap(all);
    }

    synchronized void remove(String name) {
        Map<String, CoordinatedLeaseLock> all = new LinkedHashMap<>(byName);
        all.remove(name);
        byName = Collections.unmodifiableMap(all);
    }

    /** The lock of the default lease. */
    public CoordinatedLeaseLock main() {
        return main;
    }

    /** The name of the default lease. */
    public String mainName() {
        return main.name();
    }

    /**
     * The lock of a lease.
     *
     * @throws IllegalArgumentException when there is no such lease; the message lists those there are
     */
    public CoordinatedLeaseLock get(String name) {
        return find(name)
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no lease '" + name + "'; there are " + byName.keySet()));
    }

    /** The lock of a lease; empty when there is no such lease. */
    public Optional<CoordinatedLeaseLock> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The names of all leases, the default one first. */
    public Set<String> names() {
        return byName.keySet();
    }

    /** All locks by the names of their leases, the default one first. */
    public Map<String, CoordinatedLeaseLock> asMap() {
        return byName;
    }
}
