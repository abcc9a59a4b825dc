package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.LoggedLines;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class WatchMonitorTest {

    @RegisterExtension
    final LoggedLines log = new LoggedLines(WatchMonitor.class);

    private long nanos;
    private final WatchMonitor state = new WatchMonitor("leases", new Clock() {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }
    });

    private void interrupted(String message) {
        state.observe(new WatchEvent.Interrupted<>(message, Duration.ofSeconds(1)));
    }

    private void listed() {
        state.observe(new WatchEvent.Snapshot<>(List.of()));
    }

    @Nested
    class AnInterruption {

        @Test
        void anInterruptionIsOneLineHoweverOftenAndInHoweverManyNamespacesItIsTriedAgain() {
            listed();
            interrupted("GET /namespaces/shop/leases: connection refused");
            interrupted("GET /namespaces/billing/leases: connection refused");
            interrupted("GET /namespaces/shop/leases: connection refused");

            assertThat(log.lines())
                    .containsExactly("WARN The watch of leases is interrupted, and is tried again:"
                            + " GET /namespaces/shop/leases: connection refused");
            assertThat(state.status().problem()).isEqualTo("GET /namespaces/shop/leases: connection refused");
        }

        @Test
        void anInterruptionIsALineForEachReason() {
            interrupted("GET /leases: connection refused");
            interrupted("GET /leases: forbidden");
            interrupted("GET /leases: connection refused");

            assertThat(log.lines()).hasSize(2).last().asString().endsWith("GET /leases: forbidden");
        }

        @Test
        void anInterruptionIsOneLineWhenItEndsAndIsReportedAnew() {
            interrupted("GET /leases: connection refused");
            nanos += Duration.ofSeconds(12).toNanos();
            listed();
            listed();
            interrupted("GET /leases: connection refused");

            assertThat(log.lines()).hasSize(3).element(1).isEqualTo("INFO Watch of leases recovered after 12 s");
        }
    }

    @Nested
    class AWatchThatFailsWhileListsSucceed {

        private void fails(String message) {
            state.observe(new WatchEvent.Interrupted<>(message, Duration.ofSeconds(1), true, null));
            listed();
        }

        @Test
        void aWatchThatFailsWhileListsSucceedIsOneLineUntilItRecovers() {
            listed();
            interrupted("GET /leases: too old resource version: 7 (12)");
            listed();
            for (int i = 0; i < 100; i++) {
                fails("GET /leases: too old resource version: " + i + " (120)");
            }
            state.observe(new WatchEvent.Recovered<>(Duration.ofSeconds(42)));
            state.observe(new WatchEvent.Recovered<>(Duration.ofSeconds(43)));

            assertThat(log.lines())
                    .containsExactly(
                            "WARN The watch of leases is interrupted, and is tried again: GET /leases: too old resource version: 7 (12)",
                            "INFO Watch of leases recovered after 0 ms",
                            "WARN The watch of leases fails again and again, and is replaced by lists meanwhile:"
                                    + " GET /leases: too old resource version: 0 (120)",
                            "INFO Watch of leases recovered after 42 s");
        }

        @Test
        void aWatchThatFailsWhileListsSucceedIsALineAgainAfterItHasRecovered() {
            fails("GET /leases: no leader");
            state.observe(new WatchEvent.Recovered<>(Duration.ofSeconds(42)));
            fails("GET /leases: no leader");

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("again and again"))
                    .hasSize(2);
        }
    }

    @Test
    void aListAtTheStartIsNoNews() {
        listed();

        assertThat(log.lines()).isEmpty();
    }
}
