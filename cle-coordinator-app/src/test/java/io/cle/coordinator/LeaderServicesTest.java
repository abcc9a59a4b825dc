package io.cle.coordinator;

import java.time.Duration;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What becomes of the Service of a dead leader. */
class LeaderServicesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";

    private static void leads(EmbeddedApiServer server, String lease, int leaseDurationSeconds) {
        post(server, SLICES, """
                {"metadata": {"name": "%s-leader"}, "addressType": "IPv4", "endpoints": [{"addresses": ["10.1.2.3"]}]}
                """.formatted(lease));
        post(server, "/apis/coordination.k8s.io/v1/namespaces/shop/leases", """
                {"metadata": {"name": "%s", "labels": {"coordination.cle.io/managed": "true"}},
                 "spec": {"holderIdentity": "gone", "leaseDurationSeconds": %d,
                   "acquireTime": "2026-01-01T00:00:00.000000Z", "renewTime": "2026-01-01T00:00:00.000000Z"}}
                """.formatted(lease, leaseDurationSeconds));
    }

    private static void post(EmbeddedApiServer server, String path, String object) {
        assertThat(server.handle(ApiServerRequest.post(path, JsonParser.parseString(object)))
                        .code())
                .isEqualTo(201);
    }

    private static JsonArray endpoints(EmbeddedApiServer server, String lease) {
        ServerResponse response = server.handle(ApiServerRequest.get(SLICES + "/" + lease + "-leader"));
        return ((ServerResponse.Answer) response).object().getAsJsonArray("endpoints");
    }

    /** The right comes with a component of its own, which is forgotten easily. */
    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class MissingRight {

        private final EmbeddedApiServer server = EmbeddedApiServer.start();

        @BeforeEach
        void deny() {
            server.deny("patch", "endpointslices.discovery.k8s.io", "*");
        }

        @AfterEach
        void stopServer() {
            server.close();
        }

        @Test
        void missingRightIsNamedUntilItIsGranted() {
            try (RunningCoordinator coordinator =
                    RunningCoordinator.at(server.url(), "cle.coordinator.leader-services=true")) {
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(coordinator.actuator("health").body())
                                        .contains("patch endpointslices.discovery.k8s.io in all namespaces"));
                assertThat(coordinator.ready()).isFalse();

                server.allowAll();

                await().atMost(PATIENCE).until(coordinator::ready);
            }
        }

        @Test
        void missingRightIsReportedOnceIfItIsWithdrawnLater(CapturedOutput output) {
            server.allowAll();
            try (RunningCoordinator coordinator =
                    RunningCoordinator.at(server.url(), "cle.coordinator.leader-services=true")) {
                await().atMost(PATIENCE).until(coordinator::ready);
                deny();
                leads(server, "orders", 1);

                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(output)
                                        .contains(
                                                "EndpointSlice shop/orders-leader could not be emptied: refused with status 403"));
                assertThat(output).containsOnlyOnce("could not be emptied");
            }
        }

        @Test
        void missingRightIsNotAskedForByACoordinatorThatKeepsNoLeaderServices() {
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
                await().atMost(PATIENCE).until(coordinator::ready);
                assertThat(coordinator.actuator("health").body()).doesNotContain("endpointslices");
            }
        }
    }

    @Test
    void leadsNowhereWhileThatOfALivingOneStays() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            leads(server, "orders", 1);
            leads(server, "reports", 3600);
            try (RunningCoordinator coordinator =
                    RunningCoordinator.at(server.url(), "cle.coordinator.leader-services=true")) {
                await().atMost(PATIENCE).until(coordinator::ready);

                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(endpoints(server, "orders")).isEmpty());
                assertThat(endpoints(server, "reports")).hasSize(1);
            }
        }
    }
}
