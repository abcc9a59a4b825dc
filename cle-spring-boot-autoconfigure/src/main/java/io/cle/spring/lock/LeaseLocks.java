package io.cle.spring.lock;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.CoordinatedLeaseLock;

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
