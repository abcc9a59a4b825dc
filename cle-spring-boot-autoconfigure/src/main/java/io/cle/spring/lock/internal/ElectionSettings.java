package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.cle.spring.properties.LeaseSettings;

/** The checked settings of all leases, also of those that are created at run time. Thread-safe. */
public final class ElectionSettings {

    private final LeaseSettings main;
    private final List<LeaseSettings> further;

    private ElectionSettings(LeaseSettings main, List<LeaseSettings> further) {
        this.main = main;
        this.further = new CopyOnWriteArrayList<>(further);
    }

    /** Those of all leases; the first is the default one. */
    public static ElectionSettings of(List<LeaseSettings> all) {
        return new ElectionSettings(all.get(0), all.subList(1, all.size()));
    }

    /** Those of the default lease. */
    public LeaseSettings main() {
        return main;
    }

    /** Those of the other leases. */
    public List<LeaseSettings> further() {
        return List.copyOf(further);
    }

    /** Those of all leases, the default one first. */
    public Stream<LeaseSettings> all() {
        return Stream.concat(Stream.of(main), further.stream());
    }

    /** A lease is created at run time. */
    public void add(LeaseSettings lease) {
        further.add(lease);
    }

    /** A lease that was created at run time is gone. */
    public void remove(String name) {
        further.removeIf(lease -> lease.name().equals(name));
    }

    /** How long it takes at most to drain and hand over all leases. */
    public Duration longestStop() {
        return all().map(lease -> lease.drainTimeout().plus(lease.timings().leaseDuration()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}
