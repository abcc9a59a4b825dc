package io.cle.coordinator.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;

import io.cle.runtime.internal.coordinator.ElectionView;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Counts what the coordinator observes: leases, leases without a leader, candidates, warnings. A standby observes the same. All are counted at once when
 * one of them is asked for, and again after a few seconds at the earliest, so that a scrape of all of them costs one pass through the leases.
 */
public final class ElectionGauges implements MeterBinder {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final CoordinatorSnapshots snapshots;
    private Counts counts = new Counts(0, 0, 0, 0);
    private long countedAt = System.nanoTime() - FRESH.toNanos();

    /** Counts what a coordinator observes. */
    public ElectionGauges(CoordinatorSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    /** What is observed at an instant. */
    private record Counts(int leases, int withoutLeader, int candidates, int warnings) {

        Counts and(ElectionView view, Instant now) {
            return new Counts(
                    leases + 1,
                    withoutLeader + (hasNoLeader(view, now) ? 1 : 0),
                    candidates + view.candidates().size(),
                    warnings + view.problems().size());
        }
    }

    /** Whether the lease has candidates and no process leads, as one that was elected and hasn't begun. Without candidates it needs no leader. */
    private static boolean hasNoLeader(ElectionView view, Instant now) {
        return !view.candidates().isEmpty() && view.holdingAt(now) != ElectionView.Holding.LEADS;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "cle.coordinator.leases", "Leases that are observed", Counts::leases);
        gauge(
                registry,
                "cle.coordinator.leases.without.leader",
                "Leases that have candidates and no leader",
                Counts::withoutLeader);
        gauge(registry, "cle.coordinator.candidates", "Candidates that are observed", Counts::candidates);
        gauge(
                registry,
                "cle.coordinator.warnings",
                "Warnings that hold at present: malformed objects, clock skew, strategies that aren't known",
                Counts::warnings);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<Counts> value) {
        Gauge.builder(name, this, it -> value.applyAsDouble(it.counts()))
                .description(description)
                .register(registry);
    }

    private synchronized Counts counts() {
        if (System.nanoTime() - countedAt >= FRESH.toNanos()) {
            counts = count();
            countedAt = System.nanoTime();
        }
        return counts;
    }

    private Counts count() {
        CoordinatorSnapshot snapshot = CoordinatorSnapshots.await(snapshots.all());
        Counts counted = new Counts(0, 0, 0, 0);
        for (ElectionView view : snapshot.leases()) {
            counted = counted.and(view, snapshot.time());
        }
        return counted;
    }
}
