package io.cle.coordinator;

import java.time.Duration;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A stranger's text in fields that the coordinator repeats, through the whole application to its log lines, its Events
 * and its endpoint (protocol.md#objects). No schema restricts the holder and the annotations of a Lease.
 */
@ExtendWith(OutputCaptureExtension.class)
class ForgedLogTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    /** A forged log line, and the escape sequence that clears a terminal, in JSON. */
    private static final String FORGED = "x\\n2026-01-01T00:00:00.000Z  INFO 1 --- FORGED all is well\\u001b[2J";

    private static final String SHOWN = "x\\u000a2026-01-01T00:00:00.000Z  INFO 1 --- FORGED all is well\\u001b[2J";

    @Test
    void aForgedStrategyIsOneLineOfTheLogAndVisible(CapturedOutput output) {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator =
                        RunningCoordinator.at(server.url(), "spring.output.ansi.enabled=never");
                Cluster cluster = new Cluster(KubernetesAccess.at(server.url()));
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock only = candidates.candidate(ORDERS, "orders-only", "1.0.0")) {
            only.start();
            await().atMost(PATIENCE).until(only::isLeader);

            cluster.patch(
                    ResourceType.LEASES,
                    "shop",
                    "orders",
                    "{\"metadata\": {\"annotations\": {\"coordination.k8s.io/strategy\": \"" + FORGED + "\"}}}");

            await().atMost(PATIENCE).until(() -> output.getAll().contains("is left alone"));
            isVisible(output.getAll());
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(messagesOfEvents(cluster)).anyMatch(message -> message.contains(SHOWN)));
            assertThat(messagesOfEvents(cluster)).noneMatch(message -> message.indexOf('\n') >= 0);
            assertThat(strategyOnTheEndpoint(coordinator)).isEqualTo(SHOWN);
        }
    }

    @Test
    void aForgedHolderIsOneLineOfTheLogAndVisible(CapturedOutput output) {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(
                        server.url(), "spring.output.ansi.enabled=never", "cle.coordinator.lease-duration=1s");
                Cluster cluster = new Cluster(KubernetesAccess.at(server.url()));
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock only = candidates.candidate(ORDERS, "orders-only", "1.0.0")) {
            cluster.create(
                    ResourceType.LEASES,
                    "shop",
                    "orders",
                    "{\"holderIdentity\": \"" + FORGED + "\", \"leaseDurationSeconds\": 1,"
                            + " \"renewTime\": \"2026-01-01T00:00:00.000000Z\"}");
            await().atMost(PATIENCE).until(coordinator::ready);

            only.start();

            await().atMost(PATIENCE).until(only::isLeader);
            await().atMost(PATIENCE).until(() -> output.getAll().contains("the lease of " + SHOWN + " has expired"));
            isVisible(output.getAll());
        }
    }

    private static void isVisible(String log) {
        assertThat(log).contains(SHOWN).doesNotContain("\u001b");
        assertThat(log.lines()).noneMatch(line -> line.startsWith("2026-01-01T00:00:00.000Z"));
    }

    private static String strategyOnTheEndpoint(RunningCoordinator coordinator) {
        return coordinator
                .actuator("elections")
                .json()
                .getAsJsonObject("leases")
                .getAsJsonObject("shop/orders")
                .getAsJsonObject("strategy")
                .get("name")
                .getAsString();
    }

    private static List<String> messagesOfEvents(Cluster cluster) {
        return cluster.list(ResourceType.EVENTS, "shop").stream()
                .map(event -> text(event, "message") + text(event, "note"))
                .toList();
    }

    private static String text(JsonObject event, String field) {
        return event.has(field) && !event.get(field).isJsonNull()
                ? event.get(field).getAsString()
                : "";
    }
}
