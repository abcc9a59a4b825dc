package io.cle.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.cle.ApiFormat;
import io.cle.Shard;
import io.cle.election.internal.ElectionPolicy;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.cle.spring.lock.Shards;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Applications that lead a lease in parts, on an API server with a coordinator. */
@ExtendWith(OutputCaptureExtension.class)
class ShardedApplicationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ElectionPolicy QUICK =
            new ElectionPolicy(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ZERO);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final EmbeddedCoordinator coordinator =
            EmbeddedCoordinator.start(server.url(), ApiFormat.CRD, QUICK, Duration.ofSeconds(1));
    private final Applications applications = new Applications(KubernetesAccess.at(server.url()));

    @AfterEach
    void stop() {
        applications.close();
        coordinator.close();
        server.close();
    }

    private ConfigurableApplicationContext start(String identity, Class<?>... beans) {
        return applications.start(
                identity,
                new Object(),
                List.of(beans),
                "--spring.application.name=shop",
                "--cle.candidate.binary-version=1.0.0",
                "--cle.leases.orders.shards=16");
    }

    private static Shards shards(ConfigurableApplicationContext context) {
        return context.getBean(Shards.class);
    }

    @Test
    void theOnlyReplicaLeadsAllShards() {
        Shards shards = shards(start("a"));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(shards.held()).hasSize(16));
        assertThat(shards.count()).isEqualTo(16);
        assertThat(shards.leaderOf("customer-7")).contains("orders-a");
        assertThat(shards.term("customer-7").orElseThrow().lease())
                .isEqualTo(new ObjectKey(
                        "default", "orders-16-" + shards.shardOf("customer-7").index()));
    }

    @Test
    void twoReplicasLeadHalfOfTheShardsEach() {
        Shards first = shards(start("a"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(first.held()).hasSize(16));
        Shards second = shards(start("b"));

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(first.held()).hasSize(8);
            assertThat(second.held()).hasSize(8).doesNotContainAnyElementsOf(first.held());
        });
        List<Shard> all = new ArrayList<>(first.held());
        all.addAll(second.held());
        assertThat(Set.copyOf(all)).hasSize(16);
    }

    @Test
    void aStartOfShardsIsLoggedInOneLine(CapturedOutput output) {
        Shards shards = shards(start("a"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(shards.held()).hasSize(16));

        assertThat(output.getAll().lines().filter(line -> line.contains("is a candidate for")))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .contains(
                                "lease orders: is a candidate for 16 shards (default/orders-16-*) as 'orders-a'",
                                "strategy Balanced"));
    }
}
