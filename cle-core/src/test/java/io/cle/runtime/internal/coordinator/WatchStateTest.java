package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.cle.api.WatchEvent;
import io.cle.runtime.internal.loop.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class WatchStateTest {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(WatchState.class);
    private Level level;
    private final WatchState state = new WatchState("leases", new Clock() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }
    });

    @BeforeEach
    void listen() {
        level = logger.getLevel();
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(level);
    }

    private void interrupted(String message) {
        state.observe(new WatchEvent.Interrupted<>(message, Duration.ofSeconds(1)));
    }

    private void listed() {
        state.observe(new WatchEvent.Snapshot<>(List.of()));
    }

    private List<String> logged() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Nested
    class AnInterruption {

        @Test
        void isOneLineHoweverOftenAndInHoweverManyNamespacesItIsTriedAgain() {
            listed();
            interrupted("GET /namespaces/shop/leases: connection refused");
            interrupted("GET /namespaces/billing/leases: connection refused");
            interrupted("GET /namespaces/shop/leases: connection refused");

            assertThat(logged())
                    .containsExactly("The watch of leases is interrupted, and is tried again:"
                            + " GET /namespaces/shop/leases: connection refused");
            assertThat(state.status().problem()).isEqualTo("GET /namespaces/shop/leases: connection refused");
        }

        @Test
        void isALineForEachReason() {
            interrupted("GET /leases: connection refused");
            interrupted("GET /leases: forbidden");
            interrupted("GET /leases: connection refused");

            assertThat(logged()).hasSize(2).last().asString().endsWith("GET /leases: forbidden");
        }

        @Test
        void isOneLineWhenItEndsAndIsReportedAnew() {
            interrupted("GET /leases: connection refused");
            listed();
            listed();
            interrupted("GET /leases: connection refused");

            assertThat(logged()).hasSize(3).element(1).isEqualTo("The watch of leases goes on");
        }
    }

    @Test
    void aListAtTheStartIsNoNews() {
        listed();

        assertThat(logged()).isEmpty();
    }
}
