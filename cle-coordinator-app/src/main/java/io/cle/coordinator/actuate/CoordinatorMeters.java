package io.cle.coordinator.actuate;

import io.cle.election.internal.CoordinatorListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the actions of this replica of the coordinator. Its identity is a tag, so that a replica that is scraped twice isn't counted twice.
 * Thread-safe.
 */
public final class CoordinatorMeters implements CoordinatorListener {

    private final MeterRegistry meters;
    private final String identity;
    private final Counter pings;

    /**
     * Registers the meters.
     *
     * @param identity the identity of this replica
     */
    public CoordinatorMeters(MeterRegistry meters, String identity) {
        this.meters = meters;
        this.identity = identity;
        this.pings = Counter.builder("cle.coordinator.pings")
                .description("Candidates that were asked to acknowledge")
                .tag("identity", identity)
                .register(meters);
    }

    @Override
    public void reported(String reason) {
        Counter.builder("cle.coordinator.decisions")
                .description("What was done about leases, by the reason of the Event that says so")
                .tags("identity", identity, "reason", reason)
                .register(meters)
                .increment();
    }

    @Override
    public void pinged() {
        pings.increment();
    }
}
