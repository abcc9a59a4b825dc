package io.cle.coordinator;

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

    /** Requests whose bodies never end, by the way in which they are answered: by an endpoint, by this port, by Tomcat itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /actuator/health/liveness HTTP/1.1|Host: a|Content-Length: 2000000||x",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|Content-Type: application/json|Content-Length: 99||{",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|Transfer-Encoding: chunked||5;",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|Content-Length: 9|Expect: 100-continue||",
                "POST /actuator/health/liveness HTTP/1.1|Host: a|Content-Type: application/x-www-form-urlencoded"
                        + "|Content-Length: 9||x",
                "PUT /actuator/prometheus HTTP/1.1|Host: a|Content-Type: application/x-www-form-urlencoded"
                        + "|Content-Length: 9||x",
                "GET /actuator/elections HTTP/1.1|Host: a|Transfer-Encoding: chunked||5;",
                "GET /%2f..%2f HTTP/1.1|Host: a|Content-Length: 2000000||x",
                "GET / HTTP/1.1|Host: a/b|Content-Length: 2000000||x",
                "GET /actuator/health/liveness HTTP/1.1|Host: a|X-Slow: "
            })
    void probesAreAnsweredWhileStrangersSendRequestsThatNeverEnd(String request) throws Exception {
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), coordinator.probePort());
                strangers.add(stranger);
                stranger.getOutputStream().write(request.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII));
            }

            for (int probe = 0; probe < 3; probe++) {
                assertThat(coordinator.probe("/actuator/health/liveness")).isEqualTo(200);
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
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
