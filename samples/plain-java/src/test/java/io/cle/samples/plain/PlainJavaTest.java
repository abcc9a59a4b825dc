package io.cle.samples.plain;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.cle.Resignation;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.plain.LeaderElection;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.jspecify.annotations.Nullable;
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
    void theLeaseIsReleasedOnceTheWorkOfTheTermHasEnded() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        PrintStream slowToStop = new PrintStream(printedByFirst, true, StandardCharsets.UTF_8) {
            @Override
            public void println(@Nullable String line) {
                if ("nobody leads".equals(line)) {
                    released.countDown();
                } else if ("stops".equals(line)) {
                    awaitAtMostAMoment(released);
                }
                super.println(line);
            }
        };
        try (LeaderElection election = PlainJava.join(KubernetesAccess.at(server.url()), slowToStop)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(text(printedByFirst)).contains("works, "));

            assertThat(election.resign().toCompletableFuture())
                    .succeedsWithin(PATIENCE)
                    .isEqualTo(Resignation.RELEASED);

            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(text(printedByFirst).lines()).endsWith("stops", "nobody leads"));
        }
    }

    private static void awaitAtMostAMoment(CountDownLatch latch) {
        try {
            latch.await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
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
