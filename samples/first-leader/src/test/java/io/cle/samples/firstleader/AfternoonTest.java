package io.cle.samples.firstleader;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.marcnuri.helm.Helm;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A new user's afternoon: Helm or kubectl installs the coordinator on a real API server, the application of
 * docs/first-leader.md is deployed, the page and the metrics are inspected, and everything is removed again. There is
 * no kubelet: the test runs the processes of the Deployments, the coordinator from its image, each with the token of
 * its service account.
 */
@EveryPlatform
@EnabledIfRealApiServer
@EnabledIf(
        value = "possible",
        disabledReason = "there is no kubectl on the path, or the jars are not built: run ./mvnw verify")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class AfternoonTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path CHART = JarProcess.ROOT.resolve("cle-coordinator-app/deploy/helm");
    private static final String CUSTOM_RESOURCES = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /** The Prometheus operator's CRD. */
    private static final String PROMETHEUS_RULES = """
            {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'prometheusrules.monitoring.coreos.com'},
             'spec': {'group': 'monitoring.coreos.com', 'scope': 'Namespaced', 'names': {'plural': 'prometheusrules', 'singular': 'prometheusrule', 'kind': 'PrometheusRule'},
                      'versions': [{'name': 'v1', 'served': true, 'storage': true,
                                    'schema': {'openAPIV3Schema': {'type': 'object', 'x-kubernetes-preserve-unknown-fields': true}}}]}}
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<JarProcess> processes = new ArrayList<>();
    private final int page = LoopbackPorts.free();
    private final int probes = LoopbackPorts.free();
    private final int web = LoopbackPorts.free();
    private final int management = LoopbackPorts.free();

    @TempDir
    Path folder;

    private RealApiServer server;

    static boolean possible() {
        return CoordinatorImage.built() && Programs.find("kubectl").isPresent();
    }

    /** Starts a cluster without our CRDs. */
    @BeforeEach
    void startCluster() {
        server = RealApiServer.start();
        for (JsonObject kind : CustomResourceDefinitions.all()) {
            String path = CUSTOM_RESOURCES + "/"
                    + kind.getAsJsonObject("metadata").get("name").getAsString();
            server.api().delete(path);
            await().atMost(PATIENCE).until(() -> server.api().get(path).code() == 404);
        }
        assertThat(server.api()
                        .post(CUSTOM_RESOURCES, JsonParser.parseString(PROMETHEUS_RULES))
                        .code())
                .isEqualTo(201);
        await().atMost(PATIENCE)
                .until(() -> server.api()
                                .get("/apis/monitoring.coreos.com/v1/prometheusrules")
                                .code()
                        == 200);
    }

    @AfterEach
    void stop() {
        Collections.reverse(processes);
        processes.forEach(JarProcess::close);
        server.close();
    }

    @Test
    void helmInstallsAndLeavesNothingButWhatItWasTold() throws Exception {
        Set<String> before = objects();

        kubectl("create", "namespace", "shop");
        helmInstall();
        JarProcess coordinator = coordinator();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(get(probes, "/actuator/health/readiness")).contains("UP"));

        kubectl("apply", "-k", "cle-coordinator-app/deploy/application");
        JarProcess orders = orders();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(orders.output()).contains("leading with fencing token ", "working"));

        assertThat(get(page, "/actuator/elections")).contains("shop/orders");
        assertThat(get(page, "/actuator/elections/shop/orders")).contains("orders-1");
        assertThat(get(probes, "/actuator/prometheus")).contains("cle_coordinator_leases");

        Helm.uninstall("cle")
                .withNamespace("cle-system")
                .withKubeConfig(server.kubeconfig())
                .call();
        // Without its rights it would retry the release of its Lease until its grace period ends.
        coordinator.kill();
        assertThat(role()).isEqualTo("LEADER");

        kubectl("delete", "deployment", "orders", "-n", "shop");
        orders.close();
        kubectl("delete", "pod", "orders-1", "-n", "shop", "--force", "--grace-period=0");
        removeApplicationAndDefinitions(
                before, "Lease cle-system/coordinated-election-controller", "Lease shop/orders");
    }

    /** The processes behave as with the chart's manifests. */
    @Test
    void kubectlInstallsAndLeavesNothingButWhatItWasTold() throws Exception {
        Set<String> before = objects();

        kubectl("create", "namespace", "shop");
        Installation.INSTALL_YAML.install(server, folder);
        kubectl("apply", "-k", "cle-coordinator-app/deploy/application");
        kubectl(documented("kubectl (delete deployment,.+)"));
        kubectl("delete", "deployment", "orders", "-n", "shop");

        removeApplicationAndDefinitions(before);
    }

    private void removeApplicationAndDefinitions(Set<String> before, String... leases) throws Exception {
        kubectl("delete", "-k", "cle-coordinator-app/deploy/application", "--ignore-not-found");
        Set<String> left = new TreeSet<>(Set.of(
                "CustomResourceDefinition leasecandidates.coordination.cle.io",
                "CustomResourceDefinition leaseconfigurations.coordination.cle.io",
                "APIService v1alpha1.coordination.cle.io",
                "ClusterRole cle-application",
                "Namespace cle-system",
                "Namespace shop"));
        left.addAll(List.of(leases));
        assertThat(since(before)).isEqualTo(left);

        kubectl(documented("kubectl (delete crd .+)"));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(since(before)).noneMatch(object -> object.contains("coordination.cle.io")));
    }

    /** Returns the objects that were added since, except Events, which expire after an hour. */
    private Set<String> since(Set<String> before) {
        Set<String> added = new TreeSet<>(objects());
        added.removeAll(before);
        added.removeIf(object -> object.startsWith("Event "));
        return added;
    }

    /** Returns the arguments of a line of docs/deploy.md. */
    private static String[] documented(String pattern) {
        Matcher line = Pattern.compile("(?m)^" + pattern + "$").matcher(Pages.read("docs/deploy.md"));
        assertThat(line.find()).as(pattern).isTrue();
        return line.group(1).split(" ");
    }

    private void helmInstall() throws IOException {
        Path values = Files.writeString(folder.resolve("values.yaml"), """
                namespaces: [shop]
                monitoring: {prometheusRule: {enabled: true}, dashboard: {enabled: true}}
                """);
        assertThat(new Helm(CHART)
                        .install()
                        .withName("cle")
                        .withNamespace("cle-system")
                        .createNamespace()
                        .withValuesFile(values)
                        .disableOpenApiValidation()
                        .withKubeConfig(server.kubeconfig())
                        .call()
                        .getStatus())
                .isEqualTo("deployed");
        assertThat(server.api()
                        .get("/apis/monitoring.coreos.com/v1/namespaces/cle-system/prometheusrules/cle-coordinator")
                        .text())
                .contains("NoCoordinator");
        assertThat(server.api()
                        .get("/api/v1/namespaces/cle-system/configmaps/cle-coordinator-dashboard")
                        .text())
                .contains("cle.json");
    }

    private JarProcess coordinator() throws Exception {
        Map<String, String> environment = environment("cle-system", "cle-coordinator", "", "");
        environment.put("MANAGEMENT_SERVER_PORT", String.valueOf(probes));
        return started(CoordinatorImage.unpack(folder.resolve("image"))
                .start(environment, folder.resolve("coordinator.log"), List.of("--server.port=" + page)));
    }

    private JarProcess orders() throws Exception {
        Map<String, String> environment = environment("shop", "orders", "orders-1", podOf("orders", "orders-1"));
        environment.put("MANAGEMENT_SERVER_PORT", String.valueOf(management));
        // As in a pod.
        environment.put("CLE_MODE", "kubernetes");
        Path directory = Files.createDirectories(folder.resolve("orders"));
        return started(FirstApplication.compile(directory).run("orders", environment, List.of("--server.port=" + web)));
    }

    private JarProcess started(JarProcess process) {
        processes.add(process);
        return process;
    }

    /** Creates a pod of a Deployment in the namespace {@code shop}; returns its uid. */
    private String podOf(String deployment, String name) {
        JsonObject pod = template("shop", deployment).deepCopy();
        pod.getAsJsonObject("metadata").addProperty("name", name);
        Reply created = server.api().post("/api/v1/namespaces/shop/pods", pod);
        assertThat(created.code()).as(created.text()).isEqualTo(201);
        return created.at("metadata.uid");
    }

    private JsonObject template(String namespace, String deployment) {
        Reply reply = server.api().get("/apis/apps/v1/namespaces/" + namespace + "/deployments/" + deployment);
        assertThat(reply.code()).as(reply.text()).isEqualTo(200);
        return reply.spec().getAsJsonObject("template");
    }

    /** Returns the environment that the kubelet gives to the container of a Deployment. */
    private Map<String, String> environment(String namespace, String deployment, String pod, String uid)
            throws IOException {
        JsonObject spec = template(namespace, deployment).getAsJsonObject("spec");
        Map<String, String> fields = Map.of("metadata.name", pod, "metadata.uid", uid, "metadata.namespace", namespace);
        Map<String, String> environment = new HashMap<>();
        for (JsonElement element :
                spec.getAsJsonArray("containers").get(0).getAsJsonObject().getAsJsonArray("env")) {
            JsonObject variable = element.getAsJsonObject();
            String name = variable.get("name").getAsString();
            environment.put(
                    name,
                    variable.has("value")
                            ? variable.get("value").getAsString()
                            : fields.get(variable.getAsJsonObject("valueFrom")
                                    .getAsJsonObject("fieldRef")
                                    .get("fieldPath")
                                    .getAsString()));
        }
        ServiceAccount account =
                new ServiceAccount(namespace, spec.get("serviceAccountName").getAsString());
        environment.put("KUBECONFIG", account.kubeconfig(server, folder).toString());
        return environment;
    }

    private String role() throws Exception {
        return JsonParser.parseString(get(management, "/actuator/leaderelection"))
                .getAsJsonObject()
                .getAsJsonObject("leases")
                .getAsJsonObject("orders")
                .get("role")
                .getAsString();
    }

    private String get(int port, String path) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    /** Returns all objects on the server as {@code kind namespace/name}. Without kubectl, which would be slow with so many requests. */
    private Set<String> objects() {
        Set<String> objects = new TreeSet<>(listed("/api/v1"));
        for (JsonElement group : server.api().get("/apis").json().getAsJsonArray("groups")) {
            objects.addAll(listed("/apis/"
                    + group.getAsJsonObject()
                            .getAsJsonObject("preferredVersion")
                            .get("groupVersion")
                            .getAsString()));
        }
        return objects;
    }

    private Set<String> listed(String version) {
        Set<String> objects = new TreeSet<>();
        for (JsonElement element : server.api().get(version).json().getAsJsonArray("resources")) {
            JsonObject resource = element.getAsJsonObject();
            if (!resource.getAsJsonArray("verbs").contains(new JsonPrimitive("list"))) {
                continue;
            }
            Reply list = server.api().get(version + "/" + resource.get("name").getAsString());
            for (JsonElement item : list.json().getAsJsonArray("items")) {
                JsonObject metadata = item.getAsJsonObject().getAsJsonObject("metadata");
                objects.add(resource.get("kind").getAsString() + " "
                        + (metadata.has("namespace") ? metadata.get("namespace").getAsString() + "/" : "")
                        + metadata.get("name").getAsString());
            }
        }
        return objects;
    }

    private String kubectl(String... arguments) throws IOException, InterruptedException {
        return new Kubectl(server, folder).run(arguments);
    }
}
