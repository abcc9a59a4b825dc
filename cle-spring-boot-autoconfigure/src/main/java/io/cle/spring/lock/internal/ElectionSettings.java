package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.cle.spring.properties.internal.LeaseSettings;

/** The checked settings of all leases, also of those that are created at run time. Thread-safe. */
public final class ElectionSettings {

    /** The first is the default lease's. */
    private final List<LeaseSettings> leases;

    /** Those of all leases; the first is the default one. */
    public ElectionSettings(List<LeaseSettings> all) {
        leases = new CopyOnWriteArrayList<>(all);
    }

    /** Those of the default lease. */
    public LeaseSettings main() {
        return leases.get(0);
    }

    /** Those of the other leases. */
    public List<LeaseSettings> further() {
        return all().skip(1).toList();
    }

    /** Those of all leases, the default one first. */
    public Stream<LeaseSettings> all() {
        return leases.stream();
    }

    /** Those of a lease, by its name in this application; empty if there is no such lease. */
    public Optional<LeaseSettings> find(String name) {
        return all().filter(lease -> lease.name().equals(name)).findFirst();
    }

    /** A lease is created at run time. */
    public void add(LeaseSettings lease) {
        leases.add(lease);
    }

    /** A lease that was created at run time is gone. */
    public void remove(String name) {
        leases.removeIf(lease -> lease.name().equals(name));
    }

    /** How long it takes at most to drain and hand over all leases. */
    public Duration longestStop() {
        return all().map(lease -> lease.drainTimeout().plus(lease.timings().leaseDuration()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}
