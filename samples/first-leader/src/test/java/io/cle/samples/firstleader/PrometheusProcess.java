package io.cle.samples.firstleader;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.LoopbackPorts;

/**
 * A Prometheus with the shipped alert rules. It scrapes each process twice, as found by two kinds of discovery with
 * different labels, and renames a process's labels that discovery also sets ({@code honor_labels} is false, the default).
 */
final class PrometheusProcess implements AutoCloseable {

    /** The labels that Prometheus and the two kinds of discovery set. */
    static final Set<String> TARGET_LABELS =
            Set.of("job", "instance", "namespace", "pod", "kubernetes_namespace", "kubernetes_pod_name");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final int port;
    private final Path log;

    private PrometheusProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** A process in a pod: its scraped address, and its labels from discovery. */
    record Target(int port, String path, String namespace, String pod) {

        private String scraped(String namespaceLabel, String podLabel) {
            return "      - {targets: [\"127.0.0.1:%d\"], labels: {__metrics_path__: %s, %s: %s, %s: %s}}\n"
                    .formatted(port, path, namespaceLabel, namespace, podLabel, pod);
        }
    }

    /** A sample of a query's result: its labels, without the series' name, and its value. */
    record Sample(Map<String, String> labels, double value) {}

    static PrometheusProcess start(Path folder, List<Target> targets) throws IOException {
        Path configuration = folder.resolve("prometheus.yml");
        Files.writeString(configuration, """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: monitor
                    static_configs:
                %s  - job_name: annotation
                    static_configs:
                %s""".formatted(
                        JarProcess.ROOT.resolve("cle-coordinator-app/deploy/helm/files/observability/alerts.yaml"),
                        scraped(targets, "namespace", "pod"),
                        scraped(targets, "kubernetes_namespace", "kubernetes_pod_name")));
        int port = LoopbackPorts.free();
        Path log = folder.resolve("prometheus.log");
        Process process = new ProcessBuilder(
                        Programs.find("prometheus").map(Path::toString).orElse("prometheus"),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new PrometheusProcess(process, port, log);
    }

    private static String scraped(List<Target> targets, String namespaceLabel, String podLabel) {
        return targets.stream()
                .map(target -> target.scraped(namespaceLabel, podLabel))
                .collect(Collectors.joining());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * Returns the result of a query at this instant. A subquery over a day with a resolution of five minutes is
     * evaluated at the next multiple of five minutes.
     */
    List<Sample> query(String query) {
        long now = Instant.now().getEpochSecond();
        long time = query.contains("[1d:5m]") ? now / 300 * 300 + 300 : now;
        return elements(get("/api/v1/query?time=" + time + "&query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                        .getAsJsonObject("data")
                        .getAsJsonArray("result"))
                .map(result -> {
                    Map<String, String> labels = labels(result.getAsJsonObject("metric"));
                    labels.remove("__name__");
                    return new Sample(
                            labels, result.getAsJsonArray("value").get(1).getAsDouble());
                })
                .toList();
    }

    /** Returns the labels that processes set on their series, by the series' names. */
    Map<String, Set<String>> ownLabels() {
        return elements(get("/api/v1/series?match[]=%7B__name__%3D~%22(cle%7Cleader_election)_.*%22%7D")
                        .getAsJsonArray("data"))
                .map(PrometheusProcess::labels)
                .collect(Collectors.toMap(
                        labels -> labels.get("__name__"),
                        labels -> labels.keySet().stream()
                                .filter(label -> !label.equals("__name__") && !TARGET_LABELS.contains(label))
                                .collect(Collectors.toSet()),
                        (some, others) ->
                                Stream.concat(some.stream(), others.stream()).collect(Collectors.toSet()),
                        TreeMap::new));
    }

    /** Returns the loaded alert rules. */
    List<JsonObject> rules() {
        List<JsonObject> rules = new ArrayList<>();
        elements(get("/api/v1/rules").getAsJsonObject("data").getAsJsonArray("groups"))
                .forEach(group -> elements(group.getAsJsonArray("rules")).forEach(rules::add));
        return rules;
    }

    private static Map<String, String> labels(JsonObject json) {
        Map<String, String> labels = new TreeMap<>();
        json.entrySet()
                .forEach(label -> labels.put(label.getKey(), label.getValue().getAsString()));
        return labels;
    }

    private static Stream<JsonObject> elements(JsonArray array) {
        return array.asList().stream().map(JsonElement::getAsJsonObject);
    }

    private JsonObject get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == 503) {
                throw new AssertionError("Prometheus is starting: " + response.body());
            }
            if (response.statusCode() != 200) {
                throw new IllegalStateException(path + ": " + response.body());
            }
            return JsonParser.parseString(response.body()).getAsJsonObject();
        } catch (IOException notYet) {
            throw new AssertionError("Prometheus doesn't answer: " + Pages.read(log), notYet);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
