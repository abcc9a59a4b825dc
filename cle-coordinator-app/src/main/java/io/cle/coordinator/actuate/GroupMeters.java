package io.cle.coordinator.actuate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.web.view.GroupView;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * The meters of leases that have shards, in one registry: seven series for each, and one for each replica that could lead, however many shards
 * there are. Confined to the pass of {@link ElectionGauges}. The meters return the values of the last pass.
 */
final class GroupMeters {

    private final MeterRegistry registry;
    private final MultiGauge leaders;
    private final Map<ObjectKey, Measured> groups = new HashMap<>();

    GroupMeters(MeterRegistry registry) {
        this.registry = registry;
        this.leaders = MultiGauge.builder("cle.coordinator.group.leader")
                .description("How many shards of the lease the holder leads")
                .register(registry);
    }

    /** The meters of one group, with the values that the last pass has computed. */
    private static final class Measured {
        private final List<Meter> meters = new ArrayList<>();

        /** The values that are already part of the counters, by Lease. The Leases of a former number of shards may be deleted. */
        private final Map<ObjectKey, Totals> totals = new HashMap<>();

        private volatile double led;
        private volatile double moving;
        private volatile double vacant;
        private volatile double imbalance;
        private volatile double waiting;
        private volatile double moves;
        private volatile double secondsWithoutLeader;

        private record Totals(int moves, double seconds) {}

        void update(GroupView group, Instant now) {
            led = group.led();
            moving = group.moving();
            vacant = group.hasCandidates() ? group.withoutLeader() : 0;
            imbalance = group.imbalance();
            waiting = group.waiting().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            double moved = moves;
            double withoutLeader = secondsWithoutLeader;
            for (ElectionView shard : group.leases().values()) {
                Totals before = totals.getOrDefault(shard.key(), new Totals(0, 0));
                int total = shard.past().moves();
                double seconds = shard.vacantAt(now).toMillis() / 1000.0;
                // A Lease that was forgotten and is observed anew begins at zero.
                moved += total < before.moves() ? total : total - before.moves();
                withoutLeader += Math.max(0, seconds - before.seconds());
                totals.put(shard.key(), new Totals(total, Math.max(seconds, before.seconds())));
            }
            moves = moved;
            secondsWithoutLeader = withoutLeader;
        }
    }

    void update(List<GroupView> found, Instant now) {
        List<MultiGauge.Row<?>> leading = new ArrayList<>();
        Set<ObjectKey> observed = new HashSet<>();
        for (GroupView group : found) {
            observed.add(group.key());
            groups.computeIfAbsent(group.key(), this::register).update(group, now);
            group.leasesByLeader()
                    .forEach((holder, shards) ->
                            leading.add(MultiGauge.Row.of(tags(group.key()).and("holder", holder), shards)));
        }
        leaders.register(leading, true);
        groups.entrySet().removeIf(entry -> {
            boolean gone = !observed.contains(entry.getKey());
            if (gone) {
                entry.getValue().meters.forEach(registry::remove);
            }
            return gone;
        });
    }

    private static Tags tags(ObjectKey lease) {
        return Tags.of("lease_namespace", lease.namespace(), "group", lease.name());
    }

    private Measured register(ObjectKey key) {
        Measured group = new Measured();
        gauge(key, group, "held", "Shards of the lease that a process leads", it -> it.led);
        gauge(
                key,
                group,
                "moving",
                "Shards of the lease that are being handed over to another candidate",
                it -> it.moving);
        gauge(
                key,
                group,
                "vacant",
                "Shards of the lease without a leader, while there are candidates",
                it -> it.vacant);
        gauge(
                key,
                group,
                "imbalance",
                "By how much the candidates' numbers of shards differ; 0 if another strategy decides about some",
                it -> it.imbalance);
        gauge(
                key,
                group,
                "waiting",
                "Candidates that ask for another number of shards than the lease has",
                it -> it.waiting);
        group.meters.add(FunctionCounter.builder("cle.coordinator.group.moves", group, it -> it.moves)
                .description("How often another process than before has begun to lead a shard")
                .tags(tags(key))
                .register(registry));
        group.meters.add(
                FunctionCounter.builder("cle.coordinator.group.without.leader", group, it -> it.secondsWithoutLeader)
                        .baseUnit("seconds")
                        .description("How long no process has led a shard, in sum over the shards")
                        .tags(tags(key))
                        .register(registry));
        return group;
    }

    private void gauge(
            ObjectKey key, Measured group, String name, String description, ToDoubleFunction<Measured> value) {
        group.meters.add(Gauge.builder("cle.coordinator.group." + name, group, value)
                .description(description)
                .tags(tags(key))
                .register(registry));
    }
}
