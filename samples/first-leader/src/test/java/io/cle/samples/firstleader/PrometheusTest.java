package io.cle.samples.firstleader;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.LoopbackPorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real Prometheus that scrapes the jars of the candidate and of the coordinator finds every series of the page on metrics, and evaluates the alert
 * rules. The candidate has no web server of its own: Actuator, the registry and led work are put beside its jar, as an application would have them
 * in it.
 */
@EnabledIf(
        value = "possible",
        disabledReason =
                "there is no prometheus on the path (Debian's package prometheus), or the executable jars are not built")
class PrometheusTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TIMERS = "(_count|_sum|_max)?";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    static boolean possible() {
        boolean required = "true".equals(System.getenv("CLE_REQUIRE_PROMETHEUS"));
        return JarProcess.built() && (required || Programs.find("prometheus").isPresent());
    }

    @Test
    void findsEveryDocumentedSeriesAndEvaluatesTheRules() throws Exception {
        int coordinatorPort = LoopbackPorts.free();
        int candidatePort = LoopbackPorts.free();
        int port = LoopbackPorts.free();
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                JarProcess coordinator = coordinator(server, coordinatorPort);
                JarProcess candidate = candidate(server, candidatePort);
                Running prometheus = start(port, coordinatorPort, candidatePort)) {
            assertThat(List.of(coordinator, prometheus)).doesNotContainNull();
            printed(candidate, " granted");
            // The meters of observations appear with the first term that has ended.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(resign(candidatePort)).isEqualTo(204));
            printed(candidate, " revoked");

            Set<String> documented = documented();
            assertThat(documented).hasSizeGreaterThan(20);
            await().atMost(PATIENCE).untilAsserted(() -> {
                Set<String> found = series(port);
                assertThat(documented)
                        .allMatch(name -> found.stream().anyMatch(series -> series.matches(name + TIMERS)));
            });
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(rules(port))
                            .isNotEmpty()
                            .allSatisfy(rule ->
                                    assertThat(rule.get("health").getAsString()).isEqualTo("ok")));
        }
    }

    private JarProcess coordinator(EmbeddedApiServer server, int port) {
        return JarProcess.start(
                JarProcess.COORDINATOR,
                Map.of(),
                folder.resolve("coordinator.log"),
                List.of(
                        "--server.port=0",
                        "--cle.kubernetes.base-url=" + server.url(),
                        "--cle.coordinator.probes.port=" + port));
    }

    private JarProcess candidate(EmbeddedApiServer server, int port) {
        return JarProcess.java(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Dloader.path=" + String.join(",", besideTheCandidate()),
                        "-cp",
                        JarProcess.CANDIDATE.toString(),
                        "org.springframework.boot.loader.launch.PropertiesLauncher",
                        "--server.port=" + port,
                        "--server.address=127.0.0.1",
                        "--spring.main.sources=" + LedWork.class.getName(),
                        "--cle.lease-name=orders",
                        "--cle.leases.items.shards=2",
                        "--cle.namespace=shop",
                        "--cle.kubernetes.base-url=" + server.url(),
                        "--management.endpoints.web.exposure.include=prometheus,leaderelection",
                        "--management.endpoint.leaderelection.access=unrestricted"),
                Map.of(),
                folder.resolve("candidate.log"),
                JarProcess.ROOT);
    }

    /** Of these tests' own class path what an application adds, without this project's modules, and the class of the led work. */
    private static List<String> besideTheCandidate() {
        List<String> beside = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith("test-classes")) {
                beside.add(entry + "/");
            } else if (entry.endsWith(".jar") && !entry.startsWith(JarProcess.ROOT.toString())) {
                beside.add(entry);
            }
        }
        return beside;
    }

    private static void printed(JarProcess process, String text) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(process.output()).contains(text));
    }

    private int resign(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/actuator/leaderelection/orders"))
                .DELETE()
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Prometheus, while it runs. */
    private record Running(Process process) implements AutoCloseable {
        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private Running start(int port, int coordinatorPort, int candidatePort) throws IOException {
        Path configuration = folder.resolve("prometheus.yml");
        Files.writeString(configuration, """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: coordinator
                    metrics_path: /actuator/prometheus
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                  - job_name: candidate
                    metrics_path: /actuator/prometheus
                    static_configs: [{targets: ["127.0.0.1:%d"], labels: {namespace: shop, pod: orders-7f9c}}]
                """.formatted(
                        JarProcess.ROOT.resolve("cle-coordinator-app/deploy/helm/files/observability/alerts.yaml"),
                        coordinatorPort,
                        candidatePort));
        return new Running(new ProcessBuilder(
                        Programs.find("prometheus").map(Path::toString).orElse("prometheus"),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start());
    }

    private Set<String> series(int port) throws Exception {
        Set<String> names = new TreeSet<>();
        get(port, "/api/v1/label/__name__/values")
                .getAsJsonArray("data")
                .forEach(name -> names.add(name.getAsString()));
        return names;
    }

    private List<JsonObject> rules(int port) throws Exception {
        List<JsonObject> rules = new ArrayList<>();
        for (JsonElement group :
                get(port, "/api/v1/rules").getAsJsonObject("data").getAsJsonArray("groups")) {
            group.getAsJsonObject().getAsJsonArray("rules").forEach(rule -> rules.add(rule.getAsJsonObject()));
        }
        return rules;
    }

    private JsonObject get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            return JsonParser.parseString(http.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .getAsJsonObject();
        } catch (IOException notYet) {
            throw new AssertionError(
                    "Prometheus doesn't answer: " + Files.readString(folder.resolve("prometheus.log")), notYet);
        }
    }

    /** The first column of the page's tables of series. */
    private static Set<String> documented() {
        return Pages.rows("docs/metrics.md").stream()
                .map(row -> row.get(0).replace("`", ""))
                .filter(name -> name.matches("(cle|leader_election)_.*"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
