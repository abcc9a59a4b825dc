package io.cle.coordinator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * Meters of the coordinator's observations, also on a standby: for each lease, its leader and the time without a leader; for each lease
 * with shards, the sums over its shards. All are computed together when the number of leases is read, at most every few seconds, so that a
 * scrape costs one pass over the leases.
 */
final class ElectionGauges {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final CoordinatorSnapshots snapshots;
    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final MultiGauge leaders;
    private final MultiGauge leadersOfShards;
    private final MultiGauge vacantShards;
    private final MultiGauge waiting;

    /**
     * The current values of the rows about shards. A row reads its value when it is scraped, because a row that is replaced during a scrape
     * is scraped twice, which fails the scrape.
     */
    private volatile Map<String, Integer> values = Map.of();

    /** The counters of the seconds without a leader. */
    private Set<Counter> withoutLeader = Set.of();

    /**
     * The seconds without a leader of each Lease when last observed. Never decreases, although it may become known later that the leader of
     * an expired lease was still leading.
     */
    private Map<ObjectKey, Double> counted = Map.of();

    private int leases;
    private long observedAt = Long.MIN_VALUE / 2;

    /** Registers the meters. */
    ElectionGauges(CoordinatorSnapshots snapshots, MeterRegistry registry, LongSupplier nanoTime) {
        this.snapshots = snapshots;
        this.registry = registry;
        this.nanoTime = nanoTime;
        Gauge.builder("cle.coordinator.leases", this, ElectionGauges::leases)
                .description("Observed leases")
                .register(registry);
        leaders = gauge("lease.leader", "1 for the holder that leads the lease");
        leadersOfShards = gauge("group.leader", "How many shards of the lease the holder leads");
        vacantShards = gauge("group.vacant", "Shards of the lease without a leader, while there are candidates");
        waiting = gauge("group.waiting", "Candidates that ask for another number of shards than the lease has");
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder("cle.coordinator." + name)
                .description(description)
                .register(registry);
    }

    private synchronized int leases() {
        if (nanoTime.getAsLong() - observedAt >= FRESH.toNanos()) {
            CoordinatorSnapshot snapshot = snapshots.all();
            leases = snapshot.leases().size();
            Map<ObjectKey, Counter> counters = new HashMap<>();
            observeGroups(snapshot, counters);
            observeLeases(snapshot, counters);
            count(snapshot, counters);
            observedAt = nanoTime.getAsLong();
        }
        return leases;
    }

    /** Measures each lease with shards. A shard of another number than the effective one has no counter. */
    private void observeGroups(CoordinatorSnapshot snapshot, Map<ObjectKey, Counter> counters) {
        List<MultiGauge.Row<?>> led = new ArrayList<>();
        List<MultiGauge.Row<?>> vacant = new ArrayList<>();
        List<MultiGauge.Row<?>> asking = new ArrayList<>();
        Map<String, Integer> next = new HashMap<>();
        for (GroupView group : snapshot.groups()) {
            if (group.group().isSharded()) {
                Tags tags = tags("group", group.key());
                Counter counter = counter("group", tags);
                group.leases().forEach(shard -> counters.put(shard.key(), counter));
                group.leasesByLeader()
                        .forEach((holder, shards) -> led.add(row(next, "led", tags.and("holder", holder), shards)));
                int withoutLeader = group.leasesByLeader().isEmpty() ? 0 : group.withoutLeader();
                vacant.add(row(next, "vacant", tags, withoutLeader));
                asking.add(row(
                        next, "waiting", tags, group.waiting().values().stream().reduce(0, Integer::sum)));
            }
        }
        values = next;
        leadersOfShards.register(led);
        vacantShards.register(vacant);
        waiting.register(asking);
    }

    private MultiGauge.Row<?> row(Map<String, Integer> next, String what, Tags tags, int value) {
        next.put(what + tags, value);
        return MultiGauge.Row.of(tags, () -> values.getOrDefault(what + tags, 0));
    }

    private void observeLeases(CoordinatorSnapshot snapshot, Map<ObjectKey, Counter> counters) {
        List<MultiGauge.Row<?>> led = new ArrayList<>();
        for (ElectionView view : snapshot.leases()) {
            if (view.shard().isEmpty()) {
                Tags tags = tags("lease", view.key());
                counters.put(view.key(), counter("lease", tags));
                Lease lease = view.lease();
                if (lease != null && view.holdingAt(snapshot.time()) == ElectionView.Holding.LEADS) {
                    led.add(MultiGauge.Row.of(tags.and("holder", String.valueOf(lease.holder())), 1));
                }
            }
        }
        leaders.register(led);
    }

    private void count(CoordinatorSnapshot snapshot, Map<ObjectKey, Counter> counters) {
        Map<ObjectKey, Double> before = counted;
        counted = new HashMap<>();
        for (ElectionView view : snapshot.leases()) {
            double known = before.getOrDefault(view.key(), 0.0);
            double seconds = Math.max(known, view.vacantAt(snapshot.time()).toMillis() / 1000.0);
            counted.put(view.key(), seconds);
            Counter counter = counters.get(view.key());
            if (counter != null) {
                counter.increment(seconds - known);
            }
        }
        Set<Counter> present = new HashSet<>(counters.values());
        withoutLeader.stream().filter(counter -> !present.contains(counter)).forEach(registry::remove);
        withoutLeader = present;
    }

    private static Tags tags(String kind, ObjectKey key) {
        return Tags.of("lease_namespace", key.namespace(), kind, key.name());
    }

    private Counter counter(String kind, Tags tags) {
        return Counter.builder("cle.coordinator." + kind + ".without.leader")
                .baseUnit("seconds")
                .description("How long no process has led, in sum over the shards of a group")
                .tags(tags)
                .register(registry);
    }
}
