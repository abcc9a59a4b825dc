package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.samples.firstleader.AuditLog.Request;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The coordinator for a list of namespaces and the example of an application run on a real API server with RBAC, as the service
 * accounts of their manifests, through everything that they do: the server's audit log says what they have used.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AuditedRights {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Path MANIFESTS = JarProcess.ROOT.resolve("cle-coordinator-app/deploy");
    private static final String COORDINATOR = "cle-system:cle-coordinator";
    private static final String APPLICATION = "shop:orders";
    /** An application with a direct lock, in a namespace of its own. */
    private static final String DIRECT = "billing:orders";

    private static final String GET_LEASE = "get leases.coordination.k8s.io";

    @TempDir
    static Path folder;

    private final List<JarProcess> processes = new ArrayList<>();
    private RealApiServer server;
    private AuditLog audit;

    /** Starts the server that writes the audit log. */
    abstract RealApiServer start(Path log);

    /** {@code crd} or {@code native}. */
    abstract String format();

    /** The group of the candidates that this server serves in {@link #format()}. */
    abstract String candidates();

    /** What the candidates ask for. */
    String strategy() {
        return "OldestCompatibilityVersion";
    }

    /**
     * What the coordinator uses only where a server misbehaves: it reads a candidate if its removal conflicts with a change that no watch
     * has delivered.
     */
    Set<String> unprovoked() {
        return Set.of("get leasecandidates." + candidates());
    }

    @BeforeAll
    void runEverything() throws Exception {
        Path log = folder.resolve("audit.log");
        server = start(log);
        audit = new AuditLog(log);
        for (String namespace : List.of("cle-system", "shop", "billing")) {
            create("/api/v1/namespaces", "{'metadata': {'name': '" + namespace + "'}}");
        }
        apply("base/service-account.yaml", "base/rbac-coordinator.yaml", "namespaces/role-bindings.yaml");
        apply("application/service-account.yaml", "application/rbac.yaml");

        applyTo("billing", "application/service-account.yaml", "direct-lock/rbac.yaml");
        direct();

        // Without a coordinator, the first candidate makes the Lease and acquires it.
        JarProcess newer = candidate("newer", "1.1.0", "--cle.fallback.delay=1s");
        awaitTermAfter(newer, 0);
        coordinator();
        // A Lease that was there before and isn't labelled is found by the conflict, and read.
        create(
                "/apis/coordination.k8s.io/v1/namespaces/billing/leases",
                "{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'receipts'}, 'spec': {'holderIdentity': ''}}");
        candidateOfTheAdministrator("billing", "receipts", Instant.now(), Duration.ofMinutes(10));
        candidateOfTheAdministrator("billing", "invoices", Instant.now(), Duration.ofMinutes(10));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            // A candidate that was there before the coordinator has to answer its ping.
            renew(candidatesIn("billing") + "/invoices-1");
            renew(candidatesIn("billing") + "/receipts-1");
            return exists("/apis/coordination.k8s.io/v1/namespaces/billing/leases/invoices")
                    && hasUsed(COORDINATOR, GET_LEASE, "billing");
        });
        candidateOfTheAdministrator("shop", "expired", Instant.now().minus(1, ChronoUnit.HOURS), Duration.ofSeconds(1));

        // A better one is preferred. Once it's killed, the coordinator looks at its pod.
        JarProcess older = candidate("older", "1.0.0");
        awaitTermAfter(older, 0);
        int former = terms(newer);
        older.kill();
        awaitTermAfter(newer, former);
        await().atMost(PATIENCE).until(() -> !exists(candidatesIn("shop") + "/expired-1"));

        // A write of unknown outcome is read back.
        former = terms(newer);
        server.stopEtcd();
        await().atMost(PATIENCE).until(() -> hasUsed(COORDINATOR, GET_LEASE, "cle-system"));
        server.startEtcd();
        awaitTermAfter(newer, former);
        await().atMost(PATIENCE).until(() -> hasUsed(DIRECT, "create events", "billing"));
        processes.forEach(JarProcess::close);
    }

    @AfterAll
    void stop() {
        processes.forEach(JarProcess::close);
        server.close();
    }

    private boolean hasUsed(String account, String right, String namespace) {
        return audit.usedBy(account, request -> request.namespace().equals(namespace))
                .contains(right);
    }

    /** How many terms a candidate has had. On a busy machine it may lose one, and get the next, without the scenario's doing. */
    private static int terms(JarProcess candidate) {
        return Math.toIntExact(candidate
                .output()
                .lines()
                .filter(line -> line.endsWith(" granted"))
                .count());
    }

    private static void awaitTermAfter(JarProcess candidate, int former) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(terms(candidate))
                        .as("the terms of %s", candidate.output())
                        .isGreaterThan(former));
    }

    @Test
    void nothingThatTheyAskForIsForbidden() {
        assertThat(Stream.of(COORDINATOR, APPLICATION, DIRECT).flatMap(account -> audit.requestsOf(account).stream()))
                .isNotEmpty()
                .allMatch(Request::allowed);
    }

    @Test
    void theCoordinatorUsesWhatItIsGrantedInItsNamespaces() throws Exception {
        Set<String> used =
                audit.usedBy(COORDINATOR, request -> !request.namespace().equals("cle-system"));
        used.addAll(unprovoked());

        assertThat(used).isEqualTo(granted("base/rbac-coordinator.yaml", "cle-coordinator"));
    }

    @Test
    void theCoordinatorAsksForNothingInOtherNamespaces() {
        assertThat(audit.requestsOf(COORDINATOR))
                .extracting(Request::namespace)
                .containsOnly("cle-system", "shop", "billing");
    }

    @Test
    void theReplicasUseWhatTheyAreGrantedOnTheirOwnLease() throws Exception {
        assertThat(audit.usedBy(COORDINATOR, request -> request.namespace().equals("cle-system")))
                .isEqualTo(granted("base/rbac-coordinator.yaml", "cle-coordinator-replica"));
        assertThat(audit.requestsOf(COORDINATOR))
                .filteredOn(request -> request.namespace().equals("cle-system"))
                .filteredOn(request -> !request.right().startsWith("create "))
                .extracting(Request::name)
                .containsOnly("coordinated-election-controller");
    }

    @Test
    void theApplicationUsesWhatItIsGranted() throws Exception {
        assertThat(audit.usedBy(APPLICATION, request -> true))
                .isEqualTo(granted("application/rbac.yaml", "orders-leader-election"));
    }

    @Test
    void anApplicationWithADirectLockUsesWhatItIsGranted() throws Exception {
        assertThat(audit.usedBy(DIRECT, request -> true))
                .isEqualTo(granted("direct-lock/rbac.yaml", "orders-direct-lock"));
    }

    @Test
    void theApplicationTouchesNoOtherLease() {
        assertThat(audit.requestsOf(APPLICATION))
                .filteredOn(request -> request.right().contains(" leases."))
                .filteredOn(request -> !request.right().startsWith("create "))
                .extracting(Request::name)
                .containsOnly("orders");
    }

    /** {@code verb resource.group}, without the candidates of the other format. */
    @SuppressWarnings("unchecked")
    private Set<String> granted(String file, String role) throws IOException {
        Set<String> rights = new TreeSet<>();
        for (Map<String, Object> document : documents(file)) {
            boolean wanted = String.valueOf(document.get("kind")).endsWith("Role")
                    && ((Map<String, Object>) document.get("metadata"))
                            .get("name")
                            .equals(role);
            for (Map<String, List<String>> rule : wanted
                    ? (List<Map<String, List<String>>>) document.get("rules")
                    : List.<Map<String, List<String>>>of()) {
                for (String group : rule.get("apiGroups")) {
                    for (String resource : rule.get("resources")) {
                        rule.get("verbs")
                                .forEach(verb ->
                                        rights.add(verb + " " + resource + (group.isEmpty() ? "" : "." + group)));
                    }
                }
            }
        }
        return rights.stream()
                .filter(right ->
                        !right.contains(" leasecandidates.") || right.endsWith(" leasecandidates." + candidates()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void coordinator() throws IOException {
        processes.add(JarProcess.start(
                JarProcess.COORDINATOR,
                Map.of(
                        "KUBECONFIG",
                        new ServiceAccount("cle-system", "cle-coordinator")
                                .kubeconfig(server, folder)
                                .toString()),
                folder.resolve("coordinator.log"),
                List.of("--server.port=0", "--cle.api=" + format(), "--cle.coordinator.namespaces=shop,billing")));
    }

    private void direct() throws IOException {
        processes.add(JarProcess.start(
                JarProcess.CANDIDATE,
                Map.of(
                        "KUBECONFIG",
                        new ServiceAccount("billing", "orders")
                                .kubeconfig(server, folder)
                                .toString()),
                folder.resolve("direct.log"),
                List.of(
                        "--cle.mode=kubernetes",
                        "--cle.lease-name=orders",
                        "--cle.namespace=billing",
                        "--cle.resource-lock=leases")));
    }

    private JarProcess candidate(String name, String version, String... arguments) throws IOException {
        Reply pod = create(
                "/api/v1/namespaces/shop/pods",
                "{'metadata': {'name': '" + name
                        + "'}, 'spec': {'containers': [{'name': 'orders', 'image': 'orders'}]}}");
        List<String> all = new ArrayList<>(List.of(
                "--cle.mode=kubernetes",
                "--cle.lease-name=orders",
                "--cle.api=" + format(),
                "--cle.candidate.strategy=" + strategy(),
                "--cle.candidate.binary-version=" + version,
                "--cle.lease-duration=6s",
                "--cle.renew-deadline=4s",
                "--cle.retry-period=1s"));
        all.addAll(List.of(arguments));
        JarProcess process = JarProcess.start(
                JarProcess.CANDIDATE,
                Map.of(
                        "KUBECONFIG",
                        new ServiceAccount("shop", "orders")
                                .kubeconfig(server, folder)
                                .toString(),
                        "POD_NAME",
                        name,
                        "POD_UID",
                        pod.metadata().get("uid").getAsString(),
                        "POD_NAMESPACE",
                        "shop"),
                folder.resolve(name + ".log"),
                all);
        processes.add(process);
        return process;
    }

    /** A candidate without a process, which expires unless it is renewed. */
    private void candidateOfTheAdministrator(String namespace, String lease, Instant renewed, Duration validity) {
        create(candidatesIn(namespace), body(namespace, lease, renewed, validity));
    }

    private void renew(String candidate) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusNanos(1000);
        Reply reply = server.api()
                .patch(candidate, "application/merge-patch+json", "{\"spec\": {\"renewTime\": \"" + now + "\"}}");
        assertThat(reply.code()).as(reply.text()).isEqualTo(200);
    }

    /**
     * The object, in the format of this server.
     *
     * @param validity in whole seconds, if the format knows any
     */
    abstract String body(String namespace, String lease, Instant renewed, Duration validity);

    private String candidatesIn(String namespace) {
        return "/apis/" + candidates() + "/" + (format().equals("crd") ? "v1alpha1" : "v1beta1") + "/namespaces/"
                + namespace + "/leasecandidates";
    }

    private boolean exists(String path) {
        return server.api().get(path).code() == 200;
    }

    private Reply create(String path, String json) {
        Reply reply = server.api().post(path, JsonParser.parseString(json));
        assertThat(reply.code()).as("%s: %s", path, reply.text()).isIn(201, 409);
        return reply;
    }

    private void apply(String... files) throws IOException {
        applyTo("shop", files);
    }

    /** Applies manifests, those of the namespace {@code shop} in another one. */
    private void applyTo(String namespace, String... files) throws IOException {
        for (String file : files) {
            for (Map<String, Object> document : documents(file)) {
                String text = new Gson().toJson(document).replace("\"shop\"", '"' + namespace + '"');
                create(collection(JsonParser.parseString(text).getAsJsonObject()), text);
            }
        }
    }

    private static String collection(JsonObject object) {
        String version = object.get("apiVersion").getAsString();
        JsonObject metadata = object.getAsJsonObject("metadata");
        String kind = object.get("kind").getAsString();
        return (version.contains("/") ? "/apis/" : "/api/") + version
                + (metadata.has("namespace")
                        ? "/namespaces/" + metadata.get("namespace").getAsString()
                        : "")
                + "/" + kind.toLowerCase(Locale.ROOT) + "s";
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> documents(String file) throws IOException {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Object document : new Yaml().loadAll(Files.readString(MANIFESTS.resolve(file)))) {
            documents.add((Map<String, Object>) document);
        }
        return documents;
    }
}
