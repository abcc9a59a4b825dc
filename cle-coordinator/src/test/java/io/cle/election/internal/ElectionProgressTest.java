package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a replica has to give up coordinating ({@code protocol.md#requests-and-limits}). */
class ElectionProgressTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final ObjectKey REPORTS = new ObjectKey("shop", "reports");

    private final ElectionProgress progress = new ElectionProgress(at(0));

    private static Moment at(int second) {
        return new Moment(second * 1_000_000_000L, Instant.EPOCH.plusSeconds(second));
    }

    private boolean stuck(int second) {
        return progress.stuck(PATIENCE, at(second)).isPresent();
    }

    @Nested
    class IsStuck {

        @Test
        void ifALeaseIsNotEvenBegun() {
            progress.due(ORDERS, at(10));

            assertThat(stuck(39)).isFalse();
            assertThat(progress.stuck(PATIENCE, at(40)))
                    .hasValueSatisfying(why -> assertThat(why).contains("for 40 s", "1 leases", "shop/orders"));
        }

        @Test
        void ifOneThatHasThrownIsDueAgainAndNotDone() {
            progress.due(ORDERS, at(0));
            progress.due(ORDERS, at(20));

            assertThat(stuck(30)).isTrue();
        }
    }

    @Nested
    class IsNotStuck {

        @Test
        void ifNothingIsDue() {
            assertThat(stuck(100_000)).isFalse();
        }

        @Test
        void ifAnotherLeaseWasDoneLately() {
            progress.due(ORDERS, at(0));
            progress.due(REPORTS, at(99));
            progress.done(REPORTS, at(100));

            assertThat(stuck(129)).isFalse();
        }

        @Test
        void whenItRests() {
            progress.due(ORDERS, at(0));
            progress.rest(at(40));

            assertThat(stuck(1_000)).isFalse();
        }
    }
}
