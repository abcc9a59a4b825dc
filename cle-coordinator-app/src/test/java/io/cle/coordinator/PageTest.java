package io.cle.coordinator;

import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class PageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void isServedAtTheRoot() {
        try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            RunningCoordinator.Answer page = coordinator.get("/");

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).contains("Who leads");
            assertThat(coordinator.get("/leases/no/such").status()).isEqualTo(404);
            assertThat(coordinator.browse("/no/such").status()).isEqualTo(404);
            assertThat(coordinator.browse("/no/such").body()).contains("There is no such page");
            assertThat(coordinator.get("/webjars/htmx.org/dist/htmx.min.js").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void answersLikeTheEndpointsUnderItsOwnNamesOnly() {
        try (RunningCoordinator coordinator = RunningCoordinator.at(
                server.url(), "cle.coordinator.page.hosts=elections.example.com", "cle.coordinator.probes.port=0")) {
            for (String path : List.of("/", "/live", "/actuator/elections", "/actuator/health", "/no/such")) {
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
    void aManagementPortOfItsOwnHasTheRulesOfTheMainOne() {
        try (RunningCoordinator coordinator = RunningCoordinator.at(
                server.url(), "management.server.port=0", "cle.coordinator.page.hosts=elections.example.com")) {
            int port = coordinator.managementPort();

            for (String path : List.of("/actuator/elections", "/actuator/health", "/no/such")) {
                assertThat(RunningCoordinator.statusAs("evil.example", port, path, PATIENCE))
                        .as(path)
                        .isEqualTo(421);
            }
            assertThat(RunningCoordinator.statusAs("elections.example.com", port, "/actuator/elections", PATIENCE))
                    .isEqualTo(200);
            // Another address of the loopback interface: only what listens on all interfaces is reached by it.
            assertThatThrownBy(() -> new Socket("127.0.0.2", port).close()).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aManagementPortListensWhereItsOwnAddressSays() throws Exception {
        try (RunningCoordinator coordinator = RunningCoordinator.at(
                server.url(), "management.server.port=0", "management.server.address=127.0.0.2")) {
            new Socket("127.0.0.2", coordinator.managementPort()).close();
        }
    }

    @Test
    void probesAreAnsweredBesideAManagementPortOfItsOwn() {
        try (RunningCoordinator coordinator =
                RunningCoordinator.at(server.url(), "management.server.port=0", "cle.coordinator.probes.port=0")) {
            assertThat(coordinator.probe("/actuator/health/liveness")).isEqualTo(200);
            assertThat(coordinator.probe("/actuator/elections")).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "no"})
    void isNotServedWhenItIsSwitchedOff(String enabled) {
        try (RunningCoordinator coordinator =
                RunningCoordinator.at(server.url(), "cle.coordinator.page.enabled=" + enabled)) {
            assertThat(coordinator.get("/").status()).isEqualTo(404);
            assertThat(coordinator.statusAs("evil.example", "/actuator/elections"))
                    .isEqualTo(421);
        }
    }

    @Nested
    class WithoutTheRightToSeeLeases {

        @BeforeEach
        void deny() {
            server.deny("list", "leases.coordination.k8s.io", "*");
        }

        @Test
        void thePageSaysWhatIsRefusedAndNeitherThatTheServerIsAwayNorThatThereAreNoLeasesWithoutTheRightToSeeLeases() {
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(
                                () -> assertThat(coordinator.get("/").body()).contains("forbidden"));

                assertThat(coordinator.get("/").body())
                        .contains("The API server can't be watched", "No lease has been seen")
                        .doesNotContain("No contact with", "There are no leases");
            }
        }
    }

    @Test
    void saysThatThereAreNoLeasesOnceAllHaveBeenSeen() {
        try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            await().atMost(Duration.ofSeconds(60)).until(coordinator::ready);

            assertThat(coordinator.get("/").body())
                    .contains("There are no leases yet")
                    .doesNotContain("be watched", "No lease has been seen");
        }
    }

    /** Read-only: there is no other method than GET. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/leases/shop/orders", "/live", "/actuator/elections", "/actuator/elections/shop/orders"})
    void changesNothing(String path) {
        try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                assertThat(coordinator.send(method, path)).as(method).isEqualTo(405);
            }
        }
    }

    @Test
    void saysOnAStandbyWhichReplicaCoordinates() {
        try (RunningCoordinator first =
                        RunningCoordinator.at(server.url(), "cle.coordinator.replica.identity=coordinator-1");
                RunningCoordinator second =
                        RunningCoordinator.at(server.url(), "cle.coordinator.replica.identity=coordinator-2")) {
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                String firstPage = first.get("/").body();
                String secondPage = second.get("/").body();
                boolean firstStandsBy = firstPage.contains("This replica is a standby");
                assertThat(firstStandsBy).isNotEqualTo(secondPage.contains("This replica is a standby"));
                assertThat(firstStandsBy ? firstPage : secondPage)
                        .contains(
                                "<code>" + (firstStandsBy ? "coordinator-2" : "coordinator-1") + "</code> coordinates");
            });
        }
    }
}
