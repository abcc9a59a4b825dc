package io.cle.spring.lock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;

/**
 * All locks of an application by the names of their leases, the default one first. A lease that is led in parts has one for each shard, by
 * the names {@code <name>-<shards>-<index>}. Getting the lock of the default lease makes this process join it. Thread-safe.
 */
public final class LeaseLocks {

    private final Leases leases;

    /**
     * Collects locks that the application makes itself.
     *
     * @param main the lock of the default lease
     * @param further the others, by the names that they have under {@code cle.leases}
     */
    public LeaseLocks(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> further) {
        this(new Leases(withoutSettings(main, further)));
    }

    LeaseLocks(Leases leases) {
        this.leases = leases;
    }

    private static List<Lease> withoutSettings(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> further) {
        List<Lease> all = new ArrayList<>();
        all.add(new Lease(main.name(), main, null));
        further.forEach((name, lock) -> all.add(new Lease(name, lock, null)));
        return all;
    }

    /** Returns the leases that these are the locks of. */
    Leases leases() {
        return leases;
    }

    /** Returns the lock of the default lease. */
    public CoordinatedLeaseLock main() {
        return leases.main().lock();
    }

    /** Returns the name of the default lease. */
    public String mainName() {
        return leases.mainName();
    }

    /**
     * Returns the lock of a lease.
     *
     * @throws IllegalArgumentException when there is no such lease; the message lists those there are
     */
    public CoordinatedLeaseLock get(String name) {
        return leases.lock(name);
    }

    /** Returns the lock of a lease; empty when there is no such lease. */
    public Optional<CoordinatedLeaseLock> find(String name) {
        leases.has(name);
        return leases.find(name).map(Lease::lock);
    }

    /** Returns the names of all leases, the default one first, whether or not this process joins it. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(Set.of(leases.mainName()));
        names.addAll(leases.byName().keySet());
        return Collections.unmodifiableSet(names);
    }

    /** Returns all locks by the names of their leases, the default one first. */
    public Map<String, CoordinatedLeaseLock> asMap() {
        leases.main();
        Map<String, CoordinatedLeaseLock> locks = new LinkedHashMap<>();
        leases.all().forEach(lease -> locks.put(lease.name(), lease.lock()));
        return Collections.unmodifiableMap(locks);
    }
}
