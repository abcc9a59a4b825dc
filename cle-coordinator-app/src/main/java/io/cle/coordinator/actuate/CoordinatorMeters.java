package io.cle.coordinator.actuate;

import io.cle.election.internal.CoordinatorListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts the actions of the coordinator. Thread-safe. */
public final class CoordinatorMeters implements CoordinatorListener {

    private final MeterRegistry meters;
    private final Counter pings;

    /** Registers the meters. */
    public CoordinatorMeters(MeterRegistry meters) {
        this.meters = meters;
        this.pings = Counter.builder("cle.coordinator.pings")
                .description("Candidates that were asked to acknowledge")
                .register(meters);
    }

    @Override
    public void reported(String reason) {
        Counter.builder("cle.coordinator.decisions")
                .description("What was done about leases, by the reason of the Event that says so")
                .tag("reason", reason)
                .register(meters)
                .increment();
    }

    @Override
    public void pinged() {
        pings.increment();
    }
}
