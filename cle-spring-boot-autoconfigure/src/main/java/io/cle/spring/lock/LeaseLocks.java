package io.cle.spring.lock;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.CoordinatedLeaseLock;

/**
 * All locks of an application by the names of their leases, the default one first. A lease with shards has one lock per
 * shard, named {@code <name>-<shards>-<index>}. Getting the lock of the default lease makes this process join it.
 * Thread-safe. Implemented by this project only; later versions may add methods.
 */
public interface LeaseLocks {

    /**
     * Collects locks that the application creates itself.
     *
     * @param main the lock of the default lease
     * @param further the others, by their names under {@code cle.leases}
     */
    static LeaseLocks of(CoordinatedLeaseLock main, Map<String, CoordinatedLeaseLock> further) {
        Map<String, CoordinatedLeaseLock> all = new LinkedHashMap<>();
        all.put(main.name(), main);
        all.putAll(further);
        return new OwnLocks(main, Collections.unmodifiableMap(all));
    }

    /** Returns the lock of the default lease. */
    CoordinatedLeaseLock main();

    /** Returns the name of the default lease. */
    String mainName();

    /**
     * Returns the lock of a lease.
     *
     * @throws IllegalArgumentException if there is no such lease; the message lists the existing ones
     */
    default CoordinatedLeaseLock get(String name) {
        return find(name)
                .orElseThrow(
                        () -> new IllegalArgumentException("there is no lease '" + name + "'; there are " + names()));
    }

    /** Returns the lock of a lease; empty when there is no such lease. */
    Optional<CoordinatedLeaseLock> find(String name);

    /** Returns the names of all leases, the default one first, whether or not this process joins it. */
    Set<String> names();

    /** Returns all locks by the names of their leases, the default one first. */
    Map<String, CoordinatedLeaseLock> asMap();
}
