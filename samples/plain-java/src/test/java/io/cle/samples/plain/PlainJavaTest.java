package io.cle.samples.plain;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ServiceLoader;

import io.cle.LeaderElection;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.spi.SLF4JServiceProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PlainJavaTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final ByteArrayOutputStream printedByFirst = new ByteArrayOutputStream();
    private final ByteArrayOutputStream printedBySecond = new ByteArrayOutputStream();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theNextReplicaLeadsOnceTheLeaderHasResignedAndBothPrintIt() throws InterruptedException {
        try (LeaderElection first = join(printedByFirst)) {
            assertThat(first.awaitLeadership(PATIENCE)).isTrue();

            try (LeaderElection second = join(printedBySecond)) {
                assertThat(second.isLeader()).isFalse();
                first.resign();

                assertThat(second.awaitLeadership(PATIENCE)).isTrue();
                String leads = second.lock().snapshot().identity() + " leads";
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(text(printedByFirst)).contains("works, with the fencing token ", leads);
                    assertThat(text(printedBySecond)).contains(leads, "works, with the fencing token ");
                });
            }
        }
    }

    @Test
    void thereIsALibraryThatLogs() {
        assertThat(ServiceLoader.load(SLF4JServiceProvider.class)).hasSize(1);
        assertThat(PlainJava.class.getResource("/logback.xml")).isNotNull();
    }

    private LeaderElection join(ByteArrayOutputStream printed) {
        return PlainJava.join(
                KubernetesAccess.at(server.url()), new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private static String text(ByteArrayOutputStream printed) {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
