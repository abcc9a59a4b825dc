package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.cle.runtime.internal.loop.Clock;
import io.cle.runtime.internal.loop.LoggedLines;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class WatchMonitorTest {

    @RegisterExtension
    final LoggedLines log = new LoggedLines(WatchMonitor.class);

    private final WatchMonitor state = new WatchMonitor("leases", new Clock() {
        @Override
        public long nanos() {
            return 0;
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
        void isOneLineHoweverOftenAndInHoweverManyNamespacesItIsTriedAgain() {
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
        void isALineForEachReason() {
            interrupted("GET /leases: connection refused");
            interrupted("GET /leases: forbidden");
            interrupted("GET /leases: connection refused");

            assertThat(log.lines()).hasSize(2).last().asString().endsWith("GET /leases: forbidden");
        }

        @Test
        void isOneLineWhenItEndsAndIsReportedAnew() {
            interrupted("GET /leases: connection refused");
            listed();
            listed();
            interrupted("GET /leases: connection refused");

            assertThat(log.lines()).hasSize(3).element(1).isEqualTo("INFO The watch of leases goes on");
        }
    }

    @Test
    void aListAtTheStartIsNoNews() {
        listed();

        assertThat(log.lines()).isEmpty();
    }
}
