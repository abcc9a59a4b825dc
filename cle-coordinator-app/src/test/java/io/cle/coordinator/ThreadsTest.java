package io.cle.coordinator;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A coordinator has few threads, however many leases there are; measured in a process whose threads are all its own. */
@Timeout(300)
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts a process: run it with CI=true ./mvnw verify, as .ci/run does")
class ThreadsTest {

    private static final int LEASES = 300;
    private static final int CANDIDATES_OF_A_LEASE = 3;
    private static final int MOST = 40;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CANDIDATES = "/apis/coordination.cle.io/v1alpha1/namespaces/shop/leasecandidates";

    @Test
    void areFortyAtMostWhileItPingsTheCandidatesOfHundredsOfLeases() throws Exception {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            for (int i = 0; i < LEASES * CANDIDATES_OF_A_LEASE; i++) {
                announce(server, "lease-" + i / CANDIDATES_OF_A_LEASE, "candidate-" + i);
            }
            int port = LoopbackPorts.free();
            Process coordinator = start(server, port);
            try {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(pinged(server)).isEqualTo(LEASES * CANDIDATES_OF_A_LEASE));

                assertThat(peakOfThreads(port)).isLessThanOrEqualTo(MOST);
            } finally {
                coordinator.destroyForcibly();
            }
        }
    }

    private static long pinged(EmbeddedApiServer server) {
        return answer(server, ApiServerRequest.get(CANDIDATES))
                .body()
                .getAsJsonObject()
                .getAsJsonArray("items")
                .asList()
                .stream()
                .filter(candidate -> candidate.toString().contains("coordination.k8s.io/pending-ack"))
                .count();
    }

    /** Creates a candidate that renewed long ago, so that it is pinged. */
    private static void announce(EmbeddedApiServer server, String lease, String name) {
        JsonObject candidate = JsonParser.parseString(
                        """
                {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseCandidate", "metadata": {"name": "%s"},
                 "spec": {"canLeadLease": "shop/%s", "renewTime": "%s", "leaseDurationSeconds": 600}}""".formatted(name, lease, Instant.now().minusSeconds(60)))
                .getAsJsonObject();
        answer(server, ApiServerRequest.post(CANDIDATES, candidate));
    }

    private static ServerResponse.Answer answer(EmbeddedApiServer server, ApiServerRequest request) {
        return (ServerResponse.Answer) server.handle(request);
    }

    private static double peakOfThreads(int port) throws IOException, InterruptedException {
        URI meters = URI.create("http://127.0.0.1:" + port + "/actuator/prometheus");
        String scrape = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(meters).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return scrape.lines()
                .filter(line -> line.startsWith("jvm_threads_peak_threads"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    private static Process start(EmbeddedApiServer server, int port) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CoordinatorApplication.class.getName(),
                        "--server.port=" + port,
                        "--cle.kubernetes.base-url=" + server.url())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
