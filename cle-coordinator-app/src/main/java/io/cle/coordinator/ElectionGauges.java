package io.cle.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.GroupView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Meters of what the coordinator observes, on a standby as well: for each lease its leader and for how long no process has led it; for each
 * lease with shards the same in sum over its shards. All are computed together when the number of leases is read, at most every few seconds,
 * so that a scrape costs one pass through the leases.
 */
final class ElectionGauges {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final CoordinatorSnapshots snapshots;
    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final Map<String, MultiGauge> gauges = new HashMap<>();

    /** The counters of the seconds without a leader. */
    private final Map<Measured, Counter> withoutLeader = new HashMap<>();

    /**
     * For how many seconds no process had led each Lease when it was observed last. Never decreases, although it may become known later that
     * the leader of an expired lease was still leading.
     */
    private Map<ObjectKey, Double> counted = Map.of();

    private int leases;
    private long observedAt;

    /** Registers the meters. */
    ElectionGauges(CoordinatorSnapshots snapshots, MeterRegistry registry) {
        this(snapshots, registry, System::nanoTime);
    }

    ElectionGauges(CoordinatorSnapshots snapshots, MeterRegistry registry, LongSupplier nanoTime) {
        this.snapshots = snapshots;
        this.registry = registry;
        this.nanoTime = nanoTime;
        this.observedAt = nanoTime.getAsLong() - FRESH.toNanos();
        Gauge.builder("cle.coordinator.leases", this, ElectionGauges::leases)
                .description("Observed leases")
                .register(registry);
        gauge("lease.leader", "1 for the holder that leads the lease");
        gauge("group.leader", "How many shards of the lease the holder leads");
        gauge("group.held", "Shards of the lease that a process leads");
        gauge("group.vacant", "Shards of the lease without a leader, while there are candidates");
        gauge("group.imbalance", "By how much the candidates' numbers of shards differ; 0 if another strategy decides");
        gauge("group.waiting", "Candidates that ask for another number of shards than the lease has");
    }

    private void gauge(String name, String description) {
        gauges.put(
                name,
                MultiGauge.builder("cle.coordinator." + name)
                        .description(description)
                        .register(registry));
    }

    /**
     * What a series is about.
     *
     * @param kind {@code lease}, or {@code group} for one with shards
     */
    private record Measured(String kind, ObjectKey key) {

        Tags tags() {
            return Tags.of("lease_namespace", key.namespace(), kind, key.name());
        }
    }

    /** A value of a gauge. */
    private record Sample(String name, Tags tags, int value) {}

    private synchronized int leases() {
        if (nanoTime.getAsLong() - observedAt >= FRESH.toNanos()) {
            CoordinatorSnapshot snapshot = snapshots.all();
            leases = snapshot.leases().size();
            observe(snapshot);
            observedAt = nanoTime.getAsLong();
        }
        return leases;
    }

    private void observe(CoordinatorSnapshot snapshot) {
        List<Sample> samples = new ArrayList<>();
        // By each Lease's key what it is counted for: a shard of another number than the effective one for nothing.
        Map<ObjectKey, Measured> measured = new HashMap<>();
        for (GroupView group : snapshot.groups()) {
            if (group.group().isSharded()) {
                Measured of = new Measured("group", group.key());
                group.leases().forEach(shard -> measured.put(shard.key(), of));
                int vacant = group.leasesByLeader().isEmpty() ? 0 : group.withoutLeader();
                int waiting = group.waiting().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                group.leasesByLeader()
                        .forEach((holder, shards) ->
                                samples.add(new Sample("group.leader", of.tags().and("holder", holder), shards)));
                samples.add(new Sample("group.held", of.tags(), group.led()));
                samples.add(new Sample("group.vacant", of.tags(), vacant));
                samples.add(new Sample("group.imbalance", of.tags(), group.imbalance()));
                samples.add(new Sample("group.waiting", of.tags(), waiting));
            }
        }
        for (ElectionView view : snapshot.leases()) {
            if (view.shard().isEmpty()) {
                Measured of = new Measured("lease", view.key());
                measured.put(view.key(), of);
                Lease lease = view.lease();
                if (lease != null && view.holdingAt(snapshot.time()) == ElectionView.Holding.LEADS) {
                    samples.add(new Sample("lease.leader", of.tags().and("holder", String.valueOf(lease.holder())), 1));
                }
            }
        }
        gauges.forEach((name, gauge) -> gauge.register(
                samples.stream()
                        .filter(sample -> sample.name().equals(name))
                        .<MultiGauge.Row<?>>map(sample -> MultiGauge.Row.of(sample.tags(), sample.value()))
                        .toList(),
                !name.equals("lease.leader")));
        count(snapshot.leases(), snapshot.time(), measured);
    }

    private void count(List<ElectionView> views, Instant now, Map<ObjectKey, Measured> measured) {
        Map<ObjectKey, Double> before = counted;
        counted = new HashMap<>();
        for (ElectionView view : views) {
            double known = before.getOrDefault(view.key(), 0.0);
            double seconds = Math.max(known, view.vacantAt(now).toMillis() / 1000.0);
            counted.put(view.key(), seconds);
            Measured of = measured.get(view.key());
            if (of != null) {
                withoutLeader.computeIfAbsent(of, this::counter).increment(seconds - known);
            }
        }
        Set<Measured> gone = new HashSet<>(withoutLeader.keySet());
        gone.removeAll(new HashSet<>(measured.values()));
        gone.forEach(of -> registry.remove(Objects.requireNonNull(withoutLeader.remove(of))));
    }

    private Counter counter(Measured of) {
        return Counter.builder("cle.coordinator." + of.kind() + ".without.leader")
                .baseUnit("seconds")
                .description("How long no process has led, in sum over the shards of a group")
                .tags(of.tags())
                .register(registry);
    }
}
