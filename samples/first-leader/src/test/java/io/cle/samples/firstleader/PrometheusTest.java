package io.cle.samples.firstleader;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpServer;
import io.cle.samples.firstleader.PrometheusProcess.Sample;
import io.cle.samples.firstleader.PrometheusProcess.Target;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.LoopbackPorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A real Prometheus that scrapes each process twice finds the series of the page on metrics, the alert rules and the dashboard. */
@EnabledIf(
        value = "possible",
        disabledReason =
                "there is no prometheus on the path (Debian's package prometheus), or the executable jars are not built")
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts processes: run it with CI=true ./mvnw verify, as .ci/run does")
class PrometheusTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TIMERS = "(_count|_sum|_max)?";

    /** The query of a dashboard panel. */
    private static final Pattern PANEL = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    @TempDir
    Path folder;

    static boolean possible() {
        boolean required = "true".equals(System.getenv("CLE_REQUIRE_PROMETHEUS"));
        return JarProcess.built() && (required || Programs.find("prometheus").isPresent());
    }

    /**
     * The jars of the coordinator and of the candidate, in two namespaces with leases of the same name. The candidate
     * has no web server: Actuator, the registry and led work are added beside its jar, whereas an application would
     * contain them.
     */
    @Test
    void findsEveryDocumentedSeriesAndTheDocumentedQueriesTellNamespacesAndProcessesApart() throws Exception {
        int coordinatorPort = LoopbackPorts.free();
        int shopPort = LoopbackPorts.free();
        int billingPort = LoopbackPorts.free();
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                JarProcess coordinator = coordinator(server, coordinatorPort);
                JarProcess shop = candidate(server, "shop", shopPort);
                JarProcess billing = candidate(server, "billing", billingPort);
                PrometheusProcess prometheus = PrometheusProcess.start(
                        folder,
                        List.of(
                                new Target(coordinatorPort, "/actuator/prometheus", "cle-system", "cle-coordinator-5d"),
                                new Target(shopPort, "/actuator/prometheus", "shop", "orders-7f9c"),
                                new Target(billingPort, "/actuator/prometheus", "billing", "orders-66b4")))) {
            assertThat(coordinator).isNotNull();
            printed(shop, " granted");
            printed(billing, " granted");
            Map<String, String> shopsOrders = Map.of("lease_namespace", "shop", "name", "orders");
            Map<String, String> billingsOrders = Map.of("lease_namespace", "billing", "name", "orders");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    prometheus.query(
                                            "sum by (lease_namespace, name) (max by (lease_namespace, name, identity) (leader_election_master_status))"))
                            .containsExactlyInAnyOrder(new Sample(shopsOrders, 1), new Sample(billingsOrders, 1)));
            // The coordinator has one replica, however often it is scraped.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(firing(prometheus))
                            .isEqualTo(Map.of("CoordinatorWithoutStandby", List.of(new Sample(Map.of(), 1)))));

            // The only candidate doesn't rejoin for a lease duration.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(resign(shopPort)).isEqualTo(204));
            printed(shop, " revoked");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(firing(prometheus))
                            .containsEntry("LeaseWithoutLeader", List.of(new Sample(shopsOrders, 0))));

            Map<String, Set<String>> documented = documented();
            assertThat(documented).hasSizeGreaterThan(20);
            await().atMost(PATIENCE).untilAsserted(() -> {
                Map<String, Set<String>> found = prometheus.ownLabels();
                documented.forEach((name, tags) -> assertThat(found).as(name).anySatisfy((series, labels) -> {
                    assertThat(series).matches(name + TIMERS);
                    assertThat(labels).isEqualTo(tags);
                }));
                assertThat(found.values())
                        .allSatisfy(labels -> assertThat(labels).noneMatch(label -> label.startsWith("exported_")));
            });

            await().atMost(PATIENCE)
                    .untilAsserted(() -> Pages.table("docs/metrics.md", "question | PromQL").stream()
                            .map(row -> row.get(1).replace("`", ""))
                            .forEach(query -> assertThat(prometheus.query(query))
                                    .as(query)
                                    .isNotEmpty()
                                    .allSatisfy(sample -> assertThat(sample.labels())
                                            .containsAnyOf(
                                                    Map.entry("holder", "orders-in-shop"),
                                                    Map.entry("lease_namespace", "shop"),
                                                    Map.entry("lease_namespace", "billing")))));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> panels().forEach(query -> assertThat(prometheus.query(query))
                            .as(query)
                            .isNotEmpty()
                            .allSatisfy(sample -> assertThat(sample.labels())
                                    .doesNotContainKeys(PrometheusProcess.TARGET_LABELS.toArray(String[]::new)))));
        }
    }

    @Test
    void everyAlertFindsWhatItIsAboutOnceHoweverOftenAProcessIsScraped() throws Exception {
        Map<String, String> exposed = new ConcurrentHashMap<>();
        exposed.put("/orders-a", """
                leader_election_master_status{lease_namespace="shop",name="orders",identity="orders-a"} 1
                leader_election_master_status{lease_namespace="shop",name="reports",identity="reports-a"} 0
                cle_api_contact{lease_namespace="shop",lease="orders",identity="orders-a"} 1
                cle_validity_seconds{lease_namespace="shop",lease="orders",identity="orders-a"} 3
                cle_revocations_total{lease_namespace="shop",lease="orders",identity="orders-a",reason="renew_deadline"} $n
                cle_revocations_total{lease_namespace="shop",lease="orders",identity="orders-a",reason="end_of_term"} $n
                cle_work_overlaps_total{lease_namespace="shop",lease="orders",identity="orders-a",work="orders.work"} $n
                cle_leader_changes_total{lease_namespace="shop",lease="orders",identity="orders-a"} $n00
                cle_uncoordinated{lease_namespace="shop",lease="orders",identity="orders-a"} 1
                cle_shards{lease_namespace="shop",lease="items",identity="items-a"} 16
                cle_shards_held{lease_namespace="shop",lease="items",identity="items-a"} 9
                """);
        exposed.put("/orders-b", """
                leader_election_master_status{lease_namespace="shop",name="orders",identity="orders-b"} 1
                leader_election_master_status{lease_namespace="shop",name="reports",identity="reports-b"} 0
                cle_api_contact{lease_namespace="shop",lease="orders",identity="orders-b"} 0
                cle_validity_seconds{lease_namespace="shop",lease="orders",identity="orders-b"} 0
                cle_shards{lease_namespace="shop",lease="items",identity="items-b"} 16
                cle_shards_held{lease_namespace="shop",lease="items",identity="items-b"} 8
                """);
        // Healthy leases of the same names in another namespace, and a client-go controller with two leading replicas.
        exposed.put("/billing", """
                leader_election_master_status{lease_namespace="billing",name="orders",identity="orders-c"} 1
                leader_election_master_status{lease_namespace="billing",name="reports",identity="reports-c"} 1
                cle_api_contact{lease_namespace="billing",lease="orders",identity="orders-c"} 1
                cle_validity_seconds{lease_namespace="billing",lease="orders",identity="orders-c"} 9
                cle_revocations_total{lease_namespace="billing",lease="orders",identity="orders-c",reason="renew_deadline"} 1
                cle_work_overlaps_total{lease_namespace="billing",lease="orders",identity="orders-c",work="orders.work"} 1
                cle_leader_changes_total{lease_namespace="billing",lease="orders",identity="orders-c"} 1
                cle_uncoordinated{lease_namespace="billing",lease="orders",identity="orders-c"} 0
                cle_shards{lease_namespace="billing",lease="items",identity="items-c"} 16
                cle_shards_held{lease_namespace="billing",lease="items",identity="items-c"} 16
                """);
        exposed.put("/controller-a", "leader_election_master_status{name=\"controller\"} 1\n");
        exposed.put("/controller-b", "leader_election_master_status{name=\"controller\"} 1\n");
        exposed.put("/standby", "leader_election_master_status{name=\"scheduler\"} 0\n");
        String observed = """
                cle_coordinator_group_vacant{lease_namespace="shop",group="items"} 2
                cle_coordinator_group_waiting{lease_namespace="shop",group="items"} 3
                cle_coordinator_group_vacant{lease_namespace="billing",group="items"} 0
                cle_coordinator_group_waiting{lease_namespace="billing",group="items"} 0
                """;
        String coordinator = "cle_coordinator_coordinating{identity=\"%s\"} %d\n";
        exposed.put("/coordinator-a", observed + coordinator.formatted("coordinator-a", 1));
        exposed.put("/coordinator-b", observed + coordinator.formatted("coordinator-b", 1));
        Map<String, String> orders = Map.of("lease_namespace", "shop", "lease", "orders");
        Map<String, String> items = Map.of("lease_namespace", "shop", "group", "items");

        try (Exporter exporter = Exporter.of(exposed);
                PrometheusProcess prometheus = PrometheusProcess.start(folder, exporter.targets())) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                Map<String, List<Sample>> found = firing(prometheus);
                assertThat(found.remove("LeadershipThrashes"))
                        .singleElement()
                        .satisfies(sample -> assertThat(sample.labels()).isEqualTo(orders));
                assertThat(found.remove("LeadershipLost"))
                        .singleElement()
                        .satisfies(sample ->
                                assertThat(sample.labels()).isEqualTo(and(orders, "reason", "renew_deadline")));
                assertThat(found.remove("LedWorkOverlaps"))
                        .singleElement()
                        .satisfies(sample -> assertThat(sample.labels()).isEqualTo(and(orders, "work", "orders.work")));
                assertThat(found)
                        .containsOnly(
                                finds("LeaseWithoutLeader", Map.of("lease_namespace", "shop", "name", "reports"), 0),
                                finds("LeaseWithTwoLeaders", Map.of("lease_namespace", "shop", "name", "orders"), 2),
                                finds("LeaderElectionApiServerUnreachable", and(orders, "identity", "orders-b"), 0),
                                finds("LeaderRenewsLate", orders, 3),
                                finds("LeaseWithoutCoordinator", orders, 1),
                                finds("ShardsWithTwoLeaders", Map.of("lease_namespace", "shop", "lease", "items"), 17),
                                finds("ShardsWithoutLeader", items, 2),
                                finds("NumberOfShardsWaits", items, 3),
                                finds("TwoCoordinators", Map.of(), 2));
            });

            exposed.put("/coordinator-a", observed + coordinator.formatted("coordinator-a", 0));
            exposed.remove("/coordinator-b");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(firing(prometheus))
                            .contains(
                                    finds("NoCoordinator", Map.of(), 0),
                                    finds("CoordinatorWithoutStandby", Map.of(), 1))
                            .doesNotContainKey("TwoCoordinators"));
        }
    }

    /** Returns the results of the alert rules' queries, by alert, without empty ones. */
    private static Map<String, List<Sample>> firing(PrometheusProcess prometheus) {
        Map<String, List<Sample>> found = new TreeMap<>();
        List<JsonObject> rules = prometheus.rules();
        assertThat(rules).isNotEmpty();
        for (JsonObject rule : rules) {
            List<Sample> samples = prometheus.query(rule.get("query").getAsString());
            if (!samples.isEmpty()) {
                found.put(rule.get("name").getAsString(), samples);
            }
        }
        return found;
    }

    private static Map.Entry<String, List<Sample>> finds(String alert, Map<String, String> labels, double value) {
        return Map.entry(alert, List.of(new Sample(labels, value)));
    }

    private static Map<String, String> and(Map<String, String> labels, String name, String value) {
        Map<String, String> all = new TreeMap<>(labels);
        all.put(name, value);
        return all;
    }

    /** Answers scrapes of several processes with one text per process, in which {@code $n} grows with each scrape. */
    private record Exporter(HttpServer server, Map<String, String> exposed) implements AutoCloseable {

        static Exporter of(Map<String, String> exposed) throws IOException {
            Map<String, Integer> scrapes = new ConcurrentHashMap<>();
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                String path = exchange.getRequestURI().getPath();
                String text = exposed.get(path);
                byte[] body = String.valueOf(text)
                        .replace("$n", Integer.toString(scrapes.merge(path, 1, Integer::sum)))
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(text == null ? 503 : 200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            return new Exporter(server, exposed);
        }

        /** Returns one process per text, in a pod of the same name. */
        List<Target> targets() {
            return exposed.keySet().stream()
                    .map(path -> new Target(
                            server.getAddress().getPort(),
                            path,
                            "namespace-of" + path.replace('/', '-'),
                            path.substring(1)))
                    .toList();
        }

        @Override
        public void close() {
            server.stop(0);
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
                        "--management.server.port=" + port));
    }

    private JarProcess candidate(EmbeddedApiServer server, String namespace, int port) {
        return JarProcess.java(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dloader.path=" + String.join(",", besideTheCandidate()),
                        "-cp",
                        JarProcess.CANDIDATE.toString(),
                        "org.springframework.boot.loader.launch.PropertiesLauncher",
                        "--server.port=" + port,
                        "--server.address=127.0.0.1",
                        "--spring.main.sources=" + LedWork.class.getName(),
                        "--cle.lease-name=orders",
                        "--cle.leases.items.shards=2",
                        "--cle.namespace=" + namespace,
                        "--cle.identity=in-" + namespace,
                        "--cle.kubernetes.base-url=" + server.url(),
                        "--management.endpoints.web.exposure.include=prometheus,leaderelection",
                        "--management.endpoint.leaderelection.access=unrestricted"),
                Map.of(),
                folder.resolve(namespace + ".log"),
                JarProcess.ROOT);
    }

    /** Returns the part of these tests' class path that an application adds, without this project's modules, and the class of the led work. */
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

    private static int resign(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/actuator/leaderelection/orders"))
                .DELETE()
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** Returns the tags in the page's tables of series, by the first column. */
    private static Map<String, Set<String>> documented() {
        Map<String, Set<String>> documented = new TreeMap<>();
        for (List<String> row : Pages.rows("docs/metrics.md")) {
            String name = row.get(0).replace("`", "");
            if (name.matches("(cle|leader_election)_.*")) {
                Set<String> tags = new TreeSet<>(
                        List.of(row.get(row.size() - 2).replaceAll("[`–]", "").split(", ")));
                tags.remove("");
                if (!name.startsWith("cle_coordinator_")) {
                    tags.addAll(DocumentationTest.OF_ALL);
                }
                documented.put(name, tags);
            }
        }
        return documented;
    }

    /** Returns the queries of the dashboard's panels, for all namespaces and leases. */
    private static List<String> panels() {
        List<String> queries = PANEL.matcher(
                        Pages.read("cle-coordinator-app/deploy/helm/files/observability/dashboard.json"))
                .results()
                .map((MatchResult expression) -> expression
                        .group(1)
                        .replace("\\\"", "\"")
                        .replace("$namespace", ".+")
                        .replace("$lease", ".+")
                        .replace("$__rate_interval", "1m"))
                .toList();
        assertThat(queries).hasSizeGreaterThan(20);
        return queries;
    }
}
