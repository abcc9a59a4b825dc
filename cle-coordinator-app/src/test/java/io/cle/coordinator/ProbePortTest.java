package io.cle.coordinator;

import java.time.Duration;
import java.util.Map;

import io.cle.coordinator.RunningCoordinator.Answer;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The port for the kubelet and Prometheus shows less than the main one, which only the pod itself reaches. */
class ProbePortTest {

    private static EmbeddedApiServer server;
    private static RunningCoordinator coordinator;

    @BeforeAll
    static void start() {
        server = EmbeddedApiServer.start();
        coordinator = RunningCoordinator.at(server.url(), "cle.coordinator.probes.port=0");
        await().atMost(Duration.ofSeconds(60)).until(coordinator::ready);
    }

    @AfterAll
    static void stop() {
        coordinator.close();
        server.close();
    }

    @Test
    void readinessAndLivenessHaveNoDetails() {
        for (String group : new String[] {"liveness", "readiness"}) {
            Answer answer = coordinator.onProbePort("/actuator/health/" + group);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().asMap()).containsOnlyKeys("status");
        }
    }

    @Test
    void healthHasItsDetailsOnTheMainPort() {
        assertThat(coordinator.actuator("health").body()).contains("formatReason");
    }

    @Test
    void metricsAreServed() {
        assertThat(coordinator.onProbePort("/actuator/prometheus").body()).contains("cle_coordinator_coordinating");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/actuator",
                "/actuator/elections",
                "/actuator/health",
                "/actuator/health/",
                "/actuator/metrics",
                "/actuator/health/readiness/coordinator",
                "/actuator/health/liveness/../../elections",
                "/actuator/health/readiness;/../../elections",
                "//actuator/elections",
                "/leases/shop/orders"
            })
    void nothingElseIsServed(String path) {
        // Tomcat itself refuses some spellings with 400.
        assertThat(coordinator.onProbePort(path).status()).isIn(400, 404);
    }

    @Test
    void electionsAreServedOnTheMainPort() {
        assertThat(coordinator.actuator("elections").status()).isEqualTo(200);
    }

    @Test
    void theMainPortListensOnTheLoopbackInterfaceByDefault() throws Exception {
        Map<?, ?> properties = (Map<?, ?>) new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yaml"))
                .get(0)
                .getSource();

        assertThat(properties.get("server.address")).hasToString("127.0.0.1");
    }
}
