package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.cle.spring.properties.LeaseSettings;

/**
 * The checked settings of all leases.
 *
 * @param main those of the default lease
 * @param further those of the others
 */
public record ElectionSettings(LeaseSettings main, List<LeaseSettings> further) {

    /** Those of all leases; the first is the default one. */
    public static ElectionSettings of(List<LeaseSettings> all) {
        return new ElectionSettings(all.get(0), List.copyOf(all.subList(1, all.size())));
    }

    /** Those of all leases, the default one first. */
    public Stream<LeaseSettings> all() {
        return Stream.concat(Stream.of(main), further.stream());
    }

    /** How long it takes at most to drain and hand over all leases. */
    public Duration longestStop() {
        return all().map(lease -> lease.drainTimeout().plus(lease.timings().leaseDuration()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}
