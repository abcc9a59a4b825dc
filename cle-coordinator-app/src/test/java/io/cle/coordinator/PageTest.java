package io.cle.coordinator;

import java.time.Duration;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void isServedAtTheRootBesideTheElectionsThatItShows() {
        try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            RunningCoordinator.Answer page = coordinator.get("/");

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).contains("/cle/page.js");
            assertThat(coordinator.get("/cle/page.js").status()).isEqualTo(200);
            assertThat(coordinator.get("/actuator/elections").json().keySet())
                    .contains("coordinating", "leases", "groups");
            assertThat(coordinator.get("/actuator/elections/no/such").status()).isEqualTo(404);
        }
    }

    @Test
    void answersUnderItsOwnNamesOnly() {
        try (RunningCoordinator coordinator =
                RunningCoordinator.at(server.url(), "cle.coordinator.page.hosts=elections.example.com")) {
            for (String path : List.of("/", "/actuator/elections", "/actuator/elections/changes", "/no/such")) {
                assertThat(coordinator.statusAs("evil.example", path)).as(path).isEqualTo(421);
            }
            for (String host : List.of("localhost:8080", "elections.example.com", "cle-coordinator.default.svc")) {
                assertThat(coordinator.statusAs(host, "/")).as(host).isEqualTo(200);
                assertThat(coordinator.statusAs(host, "/actuator/elections"))
                        .as(host)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void saysWhatIsRefusedWithoutTheRightToSeeLeases() {
        server.deny("list", "leases.coordination.k8s.io", "*");
        try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    coordinator.get("/actuator/elections").body())
                            .contains("\"outages\"", "forbidden", "\"synced\":false"));
        }
    }

    /** Read-only: there is no other method than GET. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/leases/shop/orders", "/actuator/elections", "/actuator/elections/shop/orders"})
    void changesNothing(String path) {
        try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                assertThat(coordinator.send(method, path)).as(method).isEqualTo(405);
            }
        }
    }

    @Test
    void saysOnAStandbyWhichReplicaCoordinates() {
        try (RunningCoordinator first = RunningCoordinator.at(server.url());
                RunningCoordinator second = RunningCoordinator.at(server.url())) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                JsonObject one = first.get("/actuator/elections").json();
                JsonObject other = second.get("/actuator/elections").json();
                assertThat(one.get("coordinating").getAsBoolean())
                        .isNotEqualTo(other.get("coordinating").getAsBoolean());
                assertThat(one.get("coordinator")).isNotNull().isEqualTo(other.get("coordinator"));
            });
        }
    }
}
