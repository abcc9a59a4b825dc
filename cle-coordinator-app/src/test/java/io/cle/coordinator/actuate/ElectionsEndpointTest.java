package io.cle.coordinator.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.internal.Strategies;
import io.cle.strategy.internal.StrategyRule;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ElectionsEndpointTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private static String holding(@Nullable Lease lease, Instant heldUntil) {
        StrategyRule rule = new StrategyRule(Strategies.builtIn());
        ElectionView view = new ElectionView(
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
                null);
        return String.valueOf(ElectionsEndpoint.election(view, NOW).get("holding"));
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
}
