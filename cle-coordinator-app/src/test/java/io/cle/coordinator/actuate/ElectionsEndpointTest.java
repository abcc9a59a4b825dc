package io.cle.coordinator.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.internal.Strategies;
import io.cle.strategy.internal.StrategyRule;
import io.cle.web.CoordinatorSnapshots;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ElectionsEndpointTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private static String holding(@Nullable Lease lease, Instant heldUntil) {
        return String.valueOf(
                ElectionsEndpoint.election(view(lease, heldUntil), NOW).get("holding"));
    }

    private static ElectionView view(@Nullable Lease lease, Instant heldUntil) {
        StrategyRule rule = new StrategyRule(Strategies.builtIn());
        return new ElectionView(
                ORDERS,
                lease,
                rule.choose(
                        lease,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        StrategyRule.Agreement.HIGHEST_PRECEDENCE),
                List.of(),
                null,
                null,
                List.of(),
                null,
                heldUntil,
                List.of(),
                List.of(),
                null,
                List.of(),
                Duration.ZERO,
                null,
                null,
                0);
    }

    private static Lease.Builder heldByA() {
        return Lease.builder(ORDERS)
                .holder("a")
                .acquireTime(NOW.minusSeconds(1))
                .renewTime(NOW.minusSeconds(1));
    }

    @Test
    void saysWhetherTheHolderLeads() {
        assertThat(holding(null, NOW)).isEqualTo("none");
        assertThat(holding(Lease.builder(ORDERS).build(), NOW)).isEqualTo("none");
        assertThat(holding(heldByA().build(), NOW.plusSeconds(14))).isEqualTo("leads");
        assertThat(holding(heldByA().build(), NOW)).isEqualTo("expired");
    }

    @Test
    void saysThatTheHolderWasOnlyElectedHoweverLongTheLeaseWouldBeHeld() {
        Lease granted = heldByA()
                .term(TermAnnotation.granted("a", NOW.minusSeconds(1), TermAnnotation.Ended.NOTHING))
                .build();

        assertThat(holding(granted, NOW.minusSeconds(1))).isEqualTo("elected");
        assertThat(holding(granted, NOW.plusSeconds(14))).isEqualTo("elected");
    }

    @Test
    void showsALeaseThatHasShardsAsOneGroup() {
        List<ElectionView> views = new ArrayList<>(ShardViews.waiting(8, "orders-c"));
        views.add(ShardViews.led(0, "orders-a", NOW, 2));
        views.add(ShardViews.led(1, "orders-a", NOW, 1));
        views.add(ShardViews.moving(2, "orders-a", "orders-b", NOW));
        views.add(ShardViews.vacant(3));
        CoordinatorSnapshots known = ShardViews.snapshots(() -> NOW, views);

        ElectionsEndpoint.Elections elections = new ElectionsEndpoint(known).elections();

        assertThat(elections.groups()).containsOnlyKeys("shop/orders");
        assertThat(elections.groups().get("shop/orders"))
                .containsEntry("shards", 4)
                .containsEntry("led", 3)
                .containsEntry("moving", 1)
                .containsEntry("withoutLeader", 1)
                .containsEntry("moves", 3)
                .containsEntry("shardsByLeader", Map.of("orders-a", 3, "orders-b", 0))
                .containsEntry("waiting", Map.of(8, 1));
        assertThat(elections.leases()).hasSize(12);
        assertThat(elections.leases().get("shop/orders-4-3")).containsEntry("group", "shop/orders");
    }

    @Test
    void showsLeasesWithNamesOfTheirOwnAsAGroupToo() {
        CoordinatorSnapshots known =
                ShardViews.snapshots(() -> NOW, List.of(ShardViews.ofJobs("billing", "jobs-a", NOW)));

        ElectionsEndpoint.Elections elections = new ElectionsEndpoint(known).elections();

        assertThat(elections.groups().get("shop/jobs"))
                .containsEntry("leases", 1)
                .containsEntry("led", 1)
                .containsEntry("leasesByLeader", Map.of("jobs-a", 1))
                .doesNotContainKey("shards");
        assertThat(elections.leases().get("shop/billing")).containsEntry("group", "shop/jobs");
    }

    @Test
    void aLeaseWithoutShardsIsInNoGroupAndNotRetired() {
        assertThat(ElectionsEndpoint.election(view(heldByA().build(), NOW.plusSeconds(14)), NOW))
                .doesNotContainKeys("group", "retired");
    }
}
