package io.cle.coordinator.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import io.cle.election.internal.ElectionView;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.GroupView;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

import static java.util.stream.Collectors.toSet;

/**
 * Gauges of what the coordinator observes: leases, leases without a leader, candidates and warnings; for each lease its leader, and how long no
 * process has led it; and for each lease with shards the same in sum ({@link GroupMeters}) instead of series for each shard. A standby observes the
 * same. All gauges are computed together when one of them is read, and cached for a few seconds, so that a scrape costs one pass through the leases.
 * The pass also registers the meters of new leases and new leaders.
 */
public final class ElectionGauges implements MeterBinder {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final CoordinatorSnapshots snapshots;
    private final List<Registered> registries = new CopyOnWriteArrayList<>();
    private Counts counts = new Counts(0, 0, 0, 0);
    private final LongSupplier nanoTime;
    private long countedAt;

    /** How long no process has led each of the leases observed last. */
    private final Map<ObjectKey, WithoutLeader> withoutLeader = new HashMap<>();

    /** Creates the gauges of a coordinator. */
    public ElectionGauges(CoordinatorSnapshots snapshots) {
        this(snapshots, System::nanoTime);
    }

    ElectionGauges(CoordinatorSnapshots snapshots, LongSupplier nanoTime) {
        this.snapshots = snapshots;
        this.nanoTime = nanoTime;
        this.countedAt = nanoTime.getAsLong() - FRESH.toNanos();
    }

    /** The counts at an instant. */
    private record Counts(int leases, int withoutLeader, int candidates, int warnings) {

        Counts and(ElectionView view, boolean waits, Instant now) {
            return new Counts(
                    leases + 1,
                    withoutLeader + (!waits && hasNoLeader(view, now) ? 1 : 0),
                    candidates + view.candidates().size(),
                    warnings + view.problems().size());
        }
    }

    /**
     * How long no process has led a lease. It never decreases, although it may become known later that the leader of an expired lease was
     * still leading.
     */
    private static final class WithoutLeader {
        private volatile double seconds;

        private void atLeast(Duration known) {
            seconds = Math.max(seconds, known.toMillis() / 1000.0);
        }
    }

    /**
     * Returns whether the lease has candidates but no leader, for example because the elected process hasn't begun its term. A lease
     * without candidates needs no leader.
     */
    private static boolean hasNoLeader(ElectionView view, Instant now) {
        return !view.candidates().isEmpty() && view.holdingAt(now) != ElectionView.Holding.LEADS;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(new Registered(
                registry,
                MultiGauge.builder("cle.coordinator.lease.leader")
                        .description("1 for the holder that leads the lease")
                        .register(registry),
                new HashMap<>(),
                new GroupMeters(registry)));
        gauge(registry, "cle.coordinator.leases", "Observed leases", Counts::leases);
        gauge(
                registry,
                "cle.coordinator.leases.without.leader",
                "Leases that have candidates and no leader",
                Counts::withoutLeader);
        gauge(registry, "cle.coordinator.candidates", "Observed candidates", Counts::candidates);
        gauge(
                registry,
                "cle.coordinator.warnings",
                "Current warnings: malformed objects, clock skew, unknown strategies",
                Counts::warnings);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<Counts> value) {
        Gauge.builder(name, this, it -> value.applyAsDouble(it.counts()))
                .description(description)
                .register(registry);
    }

    private synchronized Counts counts() {
        if (nanoTime.getAsLong() - countedAt >= FRESH.toNanos()) {
            counts = count();
            countedAt = nanoTime.getAsLong();
        }
        return counts;
    }

    /**
     * A registry and the meters of leases in it.
     *
     * @param leaders the leader of each lease
     * @param withoutLeader how long there has been no leader, by lease
     * @param groups the meters of leases that have shards
     */
    private record Registered(
            MeterRegistry registry, MultiGauge leaders, Map<ObjectKey, Meter> withoutLeader, GroupMeters groups) {

        void update(
                List<MultiGauge.Row<?>> leading,
                Map<ObjectKey, WithoutLeader> known,
                List<GroupView> ofShards,
                Instant now) {
            leaders.register(leading);
            groups.update(ofShards, now);
            withoutLeader.entrySet().removeIf(entry -> {
                boolean gone = !known.containsKey(entry.getKey());
                if (gone) {
                    registry.remove(entry.getValue());
                }
                return gone;
            });
            known.forEach((lease, without) -> withoutLeader.computeIfAbsent(
                    lease,
                    unused -> FunctionCounter.builder("cle.coordinator.lease.without.leader", without, it -> it.seconds)
                            .baseUnit("seconds")
                            .description("How long no process has led the lease")
                            .tags(tags(lease))
                            .register(registry)));
        }
    }

    private static Tags tags(ObjectKey lease) {
        return Tags.of("lease_namespace", lease.namespace(), "lease", lease.name());
    }

    private Counts count() {
        CoordinatorSnapshot snapshot = snapshots.all();
        Counts counted = new Counts(0, 0, 0, 0);
        List<MultiGauge.Row<?>> leading = new ArrayList<>();
        Set<ObjectKey> observed = new HashSet<>();
        List<GroupView> groups = snapshot.groups().stream()
                .filter(group -> group.group().isSharded())
                .toList();
        Set<LeaseGroup> inForce = groups.stream().map(GroupView::group).collect(toSet());
        for (ElectionView view : snapshot.leases()) {
            LeaseGroup sharded = view.shard().isPresent() ? view.group() : null;
            boolean waits = sharded != null && !inForce.contains(sharded);
            counted = counted.and(view, waits, snapshot.time());
            if (sharded != null) {
                continue;
            }
            observed.add(view.key());
            withoutLeader
                    .computeIfAbsent(view.key(), unused -> new WithoutLeader())
                    .atLeast(view.vacantAt(snapshot.time()));
            if (view.lease() != null && view.holdingAt(snapshot.time()) == ElectionView.Holding.LEADS) {
                leading.add(MultiGauge.Row.of(
                        tags(view.key())
                                .and("holder", String.valueOf(view.lease().holder())),
                        1));
            }
        }
        withoutLeader.keySet().retainAll(observed);
        registries.forEach(registered -> registered.update(leading, withoutLeader, groups, snapshot.time()));
        return counted;
    }
}
