package io.cle.samples.firstleader;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A real Prometheus that scrapes an application and the coordinator finds every series of the page on metrics, and evaluates the alert rules. */
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
        return JarProcess.built() && (required || prometheus().isPresent());
    }

    private static Optional<Path> prometheus() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(entry -> Path.of(entry, "prometheus"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        static class Work {
            @OnLeader
            void work() {}
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    @Test
    void findsEveryDocumentedSeriesAndEvaluatesTheRules() throws Exception {
        int coordinatorPort = freePort();
        int port = freePort();
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                JarProcess coordinator = coordinator(server, coordinatorPort);
                ConfigurableApplicationContext application = application(server);
                Running prometheus = start(
                        port,
                        coordinatorPort,
                        ((WebServerApplicationContext) application)
                                .getWebServer()
                                .getPort())) {
            assertThat(List.of(coordinator, prometheus)).doesNotContainNull();
            CoordinatedLeaseLock lock = application.getBean(CoordinatedLeaseLock.class);
            await().atMost(PATIENCE).until(lock::isLeader);
            // The meters of observations appear with the first term that has ended.
            lock.resign();
            await().atMost(PATIENCE).until(() -> !lock.isLeader());
            await().atMost(PATIENCE).until(lock::isLeader);

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

    private static ConfigurableApplicationContext application(EmbeddedApiServer server) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "spring.application.name=orders",
                        "cle.namespace=shop",
                        "cle.kubernetes.base-url=" + server.url(),
                        "cle.lease-duration=2s",
                        "cle.renew-deadline=1500ms",
                        "cle.retry-period=500ms",
                        "management.endpoints.web.exposure.include=prometheus")
                .run();
    }

    /** Prometheus, while it runs. */
    private record Running(Process process) implements AutoCloseable {
        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private Running start(int port, int coordinatorPort, int applicationPort) throws IOException {
        Path configuration = folder.resolve("prometheus.yml");
        Files.writeString(configuration, """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: coordinator
                    metrics_path: /actuator/prometheus
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                  - job_name: application
                    metrics_path: /actuator/prometheus
                    static_configs: [{targets: ["127.0.0.1:%d"], labels: {namespace: shop, pod: orders-7f9c}}]
                """.formatted(
                        JarProcess.ROOT.resolve("cle-coordinator-app/deploy/observability/alerts.yaml"),
                        coordinatorPort,
                        applicationPort));
        return new Running(new ProcessBuilder(
                        prometheus().map(Path::toString).orElse("prometheus"),
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
    private static Set<String> documented() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(JarProcess.ROOT.resolve("docs/metrics.md"))) {
            if (line.matches("\\| `(cle_|leader_election_).*")) {
                names.add(line.split("`")[1]);
            }
        }
        return names;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
