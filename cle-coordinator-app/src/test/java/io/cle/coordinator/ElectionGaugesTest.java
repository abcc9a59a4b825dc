package io.cle.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The meters of single leases. */
class ElectionGaugesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private final List<ElectionView> known = new ArrayList<>();

    /** Kept, because the registry refers to it weakly. */
    private final ElectionGauges gauges = new ElectionGauges(new Known(), registry, nanos::get);

    private final class Known implements CoordinatorSnapshots {

        @Override
        public CoordinatorSnapshot all() {
            return new CoordinatorSnapshot(
                    NOW.plusNanos(nanos.get()), true, "me", List.of(), ElectionPolicy.DEFAULT, null, known);
        }

        @Override
        public CoordinatorSnapshot one(ObjectKey lease) {
            return all();
        }
    }

    /** Returns a lease whose holder renewed at an instant of this test's time. */
    private static ElectionView view(@Nullable String holder, double renewed, double vacant, @Nullable Double since) {
        Lease lease = Lease.builder(ORDERS).holder(holder).build();
        return new ElectionView(
                ORDERS,
                lease,
                ShardViews.choice(lease, List.of()),
                List.of(),
                List.of(),
                holder == null ? null : time(renewed),
                holder == null ? null : time(renewed + 15),
                new ElectionView.Past(
                        List.of(),
                        List.of(),
                        NOW,
                        Duration.ofMillis(Math.round(vacant * 1000)),
                        since == null ? null : time(since)),
                null);
    }

    private static Instant time(double seconds) {
        return NOW.plusMillis(Math.round(seconds * 1000));
    }

    /** Scrapes at an instant of this test's time. */
    private void scrape(double seconds, ElectionView... views) {
        known.clear();
        known.addAll(List.of(views));
        nanos.set(Duration.ofMillis(Math.round(seconds * 1000)).toNanos());
        registry.get("cle.coordinator.leases").gauge().value();
    }

    private List<String> leaders() {
        return registry.find("cle.coordinator.lease.leader").gauges().stream()
                .filter(gauge -> gauge.value() == 1)
                .map(Gauge::getId)
                .map(id -> id.getTag("lease_namespace") + "/" + id.getTag("lease") + " " + id.getTag("holder"))
                .toList();
    }

    private double withoutLeader() {
        return registry.get("cle.coordinator.lease.without.leader")
                .tags("lease_namespace", "shop", "lease", "orders")
                .counter()
                .count();
    }

    @Test
    void theLeaderOfEachLeaseIsASeriesThatEndsWithItsTerm() {
        scrape(10, view("orders-a", 9, 0, null));
        assertThat(leaders()).containsExactly("shop/orders orders-a");

        scrape(20, view("orders-b", 19, 0, null));
        assertThat(leaders()).containsExactly("shop/orders orders-b");

        scrape(30, view(null, 0, 0, 29.0));
        assertThat(leaders()).isEmpty();
    }

    @Test
    void aLeaseThatHasExpiredIsLedByNobodySinceItsLastRenewal() {
        scrape(10, view("orders-a", 9, 0, null));
        assertThat(withoutLeader()).isZero();

        scrape(25, view("orders-a", 9, 0, null));

        assertThat(leaders()).isEmpty();
        assertThat(withoutLeader()).isEqualTo(16);
    }

    @Test
    void theTimeWithoutALeaderGrowsWhileThereIsNoneAndNeverFalls() {
        scrape(10, view(null, 0, 2, 7.0));
        assertThat(withoutLeader()).isEqualTo(5);

        // The coordinator was cut off, and learns that the holder has led all the time.
        scrape(20, view("orders-a", 19, 0, null));
        assertThat(withoutLeader()).isEqualTo(5);
    }

    @Test
    void theSeriesOfALeaseEndWithTheLease() {
        scrape(10, view("orders-a", 9, 0, null));
        scrape(20);

        assertThat(leaders()).isEmpty();
        assertThat(registry.find("cle.coordinator.lease.without.leader").counters())
                .isEmpty();
    }

    private double ofGroup(String meter) {
        return registry.get("cle.coordinator.group." + meter)
                .tags("lease_namespace", "shop", "group", "orders")
                .gauge()
                .value();
    }

    private double withoutLeaderOfGroup() {
        return registry.get("cle.coordinator.group.without.leader")
                .tags("lease_namespace", "shop", "group", "orders")
                .counter()
                .count();
    }

    private List<String> leadersOfGroup() {
        return registry.find("cle.coordinator.group.leader").gauges().stream()
                .map(gauge -> gauge.getId().getTag("group") + " "
                        + gauge.getId().getTag("holder") + " " + (int) gauge.value())
                .sorted()
                .toList();
    }

    private static ElectionView[] twoLedOneMovingOneVacant(double renewed) {
        return new ElectionView[] {
            ShardViews.led(4, 0, "orders-a", time(renewed)),
            ShardViews.led(4, 1, "orders-a", time(renewed)),
            ShardViews.moving(2, "orders-a", "orders-b", time(renewed)),
            ShardViews.vacant(3)
        };
    }

    @Test
    void shardsAreMeasuredInSumInsteadOfOneByOne() {
        scrape(10, twoLedOneMovingOneVacant(9));

        assertThat(leadersOfGroup()).containsExactly("orders orders-a 3", "orders orders-b 0");
        assertThat(ofGroup("vacant")).isEqualTo(1);
        assertThat(ofGroup("waiting")).isZero();
        assertThat(withoutLeaderOfGroup()).isEqualTo(12);
        assertThat(leaders()).isEmpty();
        assertThat(registry.find("cle.coordinator.lease.without.leader").meters())
                .isEmpty();
    }

    @Test
    void theTimeInWhichAnotherNumberOfShardsWasEffectiveIsNotCounted() {
        List<ElectionView> four = new ArrayList<>(ShardViews.retired(8));
        List<ElectionView> eight = new ArrayList<>(ShardViews.retired(4));
        IntStream.range(0, 4).forEach(shard -> four.add(ShardViews.led(4, shard, "orders-a", time(9))));
        IntStream.range(0, 8).forEach(shard -> eight.add(ShardViews.led(8, shard, "orders-a", time(19))));
        scrape(10, four.toArray(ElectionView[]::new));
        assertThat(withoutLeaderOfGroup()).isEqualTo(12);

        scrape(20, eight.toArray(ElectionView[]::new));

        assertThat(leadersOfGroup()).containsExactly("orders orders-a 8", "orders orders-b 0");
        assertThat(withoutLeaderOfGroup()).isEqualTo(12);
    }

    @Test
    void aNumberOfShardsThatWaitsIsMeasuredByItsCandidates() {
        List<ElectionView> views = new ArrayList<>(List.of(twoLedOneMovingOneVacant(9)));
        views.addAll(ShardViews.waiting(8, "orders-c"));
        scrape(10, views.toArray(ElectionView[]::new));

        assertThat(ofGroup("waiting")).isEqualTo(1);
        assertThat(ofGroup("vacant")).isEqualTo(1);
    }

    @Test
    void retiredShardsAreNotShardsWithoutALeader() {
        List<ElectionView> views = new ArrayList<>(ShardViews.retired(8));
        for (int shard = 0; shard < 4; shard++) {
            views.add(ShardViews.led(4, shard, "orders-a", time(9)));
        }
        scrape(10, views.toArray(ElectionView[]::new));

        assertThat(leadersOfGroup()).containsExactly("orders orders-a 4", "orders orders-b 0");
        assertThat(ofGroup("vacant")).isZero();
        assertThat(registry.find("cle.coordinator.lease.without.leader").meters())
                .isEmpty();
    }

    /** The values of all leases are computed when the number of leases is read, which happens in the middle of a scrape. */
    @Test
    void aScrapeInWhichTheValuesAreComputedHasEachSeriesOnce() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ElectionGauges scraped = new ElectionGauges(new Known(), prometheus, nanos::get);
        List<String> pages = new ArrayList<>();
        for (int scrape = 0; scrape < 4; scrape++) {
            known.clear();
            for (int shard = 0; shard <= scrape; shard++) {
                known.add(ShardViews.led(4, shard, "orders-a", time(10 * scrape + 9)));
            }
            nanos.set(Duration.ofSeconds(10 * scrape + 10).toNanos());
            pages.add(prometheus.scrape());
        }

        assertThat(scraped).isNotNull();
        assertThat(pages.get(3)).contains("cle_coordinator_leases 4.0");
        assertThat(prometheus.get("cle.coordinator.group.leader").gauge().value())
                .isEqualTo(4);
    }

    @Test
    void theSeriesOfAGroupEndWithIt() {
        scrape(10, twoLedOneMovingOneVacant(9));
        scrape(20);

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .noneMatch(name -> name.startsWith("cle.coordinator.group."));
    }
}
