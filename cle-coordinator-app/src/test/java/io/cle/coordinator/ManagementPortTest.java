package io.cle.coordinator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/** The port for the kubelet and Prometheus serves health and metrics, even while strangers hold its connections. */
class ManagementPortTest {

    private static EmbeddedApiServer server;
    private static RunningCoordinator coordinator;

    @BeforeAll
    static void start() {
        server = EmbeddedApiServer.start();
        coordinator = RunningCoordinator.at(server.url(), "management.server.port=0");
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
            Answer answer = coordinator.onManagementPort("/actuator/health/" + group);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().asMap()).containsOnlyKeys("status");
        }
    }

    @Test
    void metricsAreServed() {
        assertThat(coordinator.onManagementPort("/actuator/prometheus").body())
                .contains("cle_coordinator_coordinating");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/actuator/elections",
                "/actuator/elections/shop/orders",
                "/actuator/metrics",
                "/actuator/env",
                "/actuator/health/liveness/../../elections",
                "/actuator/health/readiness;/../../elections",
                "/leases/shop/orders"
            })
    void nothingElseIsServed(String path) {
        // Tomcat itself refuses some spellings with 400.
        assertThat(coordinator.onManagementPort(path).status()).isIn(400, 404);
    }

    /** Two hundred connections that send nothing, or a request whose body never ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|X-Slow: ",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|Content-Type: application/json|Content-Length: 2000000||{",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|Transfer-Encoding: chunked||5;",
                "POST /actuator/health/liveness HTTP/1.1|Host: a|Content-Type: application/x-www-form-urlencoded"
                        + "|Content-Length: 9||x"
            })
    void probesAreAnsweredWhileStrangersHoldTwoHundredConnections(String request) throws Exception {
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), coordinator.managementPort());
                strangers.add(stranger);
                stranger.getOutputStream().write(request.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII));
            }

            for (int probe = 0; probe < 3; probe++) {
                trickle(strangers);
                // The kubelet restarts a pod after three failures ten seconds apart.
                assertThat(coordinator.probe("/actuator/health/liveness", Duration.ofSeconds(20)))
                        .isEqualTo(200);
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    private static void trickle(List<Socket> strangers) {
        for (Socket stranger : strangers) {
            try {
                stranger.getOutputStream().write('x');
            } catch (IOException e) {
                // The server has closed this connection, as it may.
                assertThat(e).isNotNull();
            }
        }
    }

    @Test
    void electionsAreServedOnTheMainPort() {
        assertThat(coordinator.get("/actuator/elections").status()).isEqualTo(200);
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
