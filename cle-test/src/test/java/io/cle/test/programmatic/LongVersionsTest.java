package io.cle.test.programmatic;

import java.time.Duration;
import java.util.List;

import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.plain.LeaderElection;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.kubernetes.client.util.ClientBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/** Elections on API servers whose resourceVersions are longer than etcd's. Rule: {@code safety.md#fencing-token}. */
class LongVersionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static EmbeddedApiServer server(String version) {
        return EmbeddedApiServer.builder().resourceVersionsFrom(version).start();
    }

    private static LeaderElection election(EmbeddedApiServer server, ResourceLock kind, String identity) {
        return LeaderElection.builder(
                        new ClientBuilder().setBasePath(server.url()).build())
                .lease("shop", "orders")
                .resourceLock(kind)
                .identity(identity)
                .timings(new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(200)))
                .start();
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASES", "ENDPOINTS", "CONFIGMAPS"})
    void ofNineteenDigitsAreFencingTokensThatGrow(ResourceLock kind) throws InterruptedException {
        try (EmbeddedApiServer server = server("1763596440927791001");
                LeaderElection first = election(server, kind, "first")) {
            assertThat(first.awaitLeadership(PATIENCE)).isTrue();
            long token = first.lock().fencingToken().orElseThrow();
            assertThat(token).isBetween(1763596440927791002L, 1763596440927791999L);
            try (LeaderElection second = election(server, kind, "second")) {
                first.resign();
                assertThat(second.awaitLeadership(PATIENCE)).isTrue();
                assertThat(second.lock().fencingToken().orElseThrow()).isBetween(token + 1, token + 99);
            }
        }
    }

    @Test
    void aboveTheLargestFencingTokenLetNobodyLeadAndSayWhy() throws InterruptedException {
        try (EmbeddedApiServer server = server("1763596440927791001000000");
                LeaderElection first = election(server, ResourceLock.LEASES, "first");
                LeaderElection second = election(server, ResourceLock.LEASES, "second")) {
            for (LeaderElection one : List.of(first, second)) {
                Awaitility.await().atMost(PATIENCE).until(() -> saysWhy(one));
            }

            assertThat(first.awaitLeadership(Duration.ofSeconds(4))).isFalse();
            assertThat(second.isLeader()).isFalse();
            assertTimeout(PATIENCE, first::close);
        }
    }

    private static boolean saysWhy(LeaderElection election) {
        return election.lock().snapshot().history().stream()
                .anyMatch(entry -> entry.what().contains("above the largest fencing token 9223372036854775807")
                        && entry.what().contains("elect on an API server with smaller versions"));
    }
}
