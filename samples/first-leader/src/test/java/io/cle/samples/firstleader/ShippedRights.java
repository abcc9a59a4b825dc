package io.cle.samples.firstleader;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.CoordinatedLeaseLock;
import io.cle.Resignation;
import io.cle.samples.firstleader.AuditLog.Request;
import io.cle.samples.firstleader.RightsTable.Row;
import io.cle.spring.lock.Shards;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs every operation of the table of rights in cle-coordinator-app/deploy/README.md on a real API server with RBAC.
 * The coordinator is installed in one of its forms, and each process has only the token of its service account and the
 * shipped roles. The server's audit log has the requests.
 *
 * <p>There is no kubelet and no controller. The coordinator runs as a process, applications run in this JVM.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ShippedRights {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    static final String MARK = "mark its pod as the leader's";
    static final String REMOVE = "remove an expired candidate";
    static final String CREATE = "create the Lease of a first candidate";
    static final String SHARDS = "lead a lease in shards";
    static final String ADOPT = "adopt a Lease that its watch doesn't show";

    private static final String ORDERS = "shop:orders";

    /** The kinds of direct locks, each with the manifest of its Role. The application is named after the kind, in a separate namespace. */
    private static final Map<String, String> DIRECT_LOCKS = Map.of(
            "leases", "direct-lock/rbac.yaml",
            "endpoints", "legacy-lock/endpoints.yaml",
            "configmaps", "legacy-lock/configmaps.yaml");

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/";
    private static final String CUSTOM_RESOURCES = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<AutoCloseable> running = new ArrayList<>();
    private final Set<String> operations = new TreeSet<>();
    private final Map<String, Integer> marks = new HashMap<>();
    /** The watches that operations have started, by account. */
    private final Map<String, Set<String>> watches = new HashMap<>();

    private final int page = LoopbackPorts.free();

    @TempDir
    static Path temporary;

    @Parameter
    Installation installation;

    private Path folder;
    private RealApiServer server;
    private AuditLog audit;
    private Kubectl kubectl;
    private String coordinator;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** The job that migrates. */
    static class Invoices {

        @OnLeader(controller = "invoices")
        void send() throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    /** Starts the server, which writes the audit log. */
    abstract RealApiServer start(Path log);

    /** Returns the group and version of the candidates that {@code cle.api: auto} selects on this server. */
    abstract String candidates();

    /** Returns the strategy that the candidates request. */
    abstract String strategy();

    /** Returns an administrator's candidate in the format of this server, without its metadata. */
    abstract String candidate(String namespace, String lease, Instant renewed, Duration validity);

    /** Returns the operations of the table that a test can't provoke on this server; for these, the server is asked whether they are allowed. */
    abstract Set<String> unprovoked();

    @BeforeParameterizedClassInvocation
    void runEveryOperation() throws Exception {
        folder = Files.createDirectories(temporary.resolve(installation.name()));
        operations.clear();
        marks.clear();
        watches.clear();
        Path log = folder.resolve("audit.log");
        server = start(log);
        audit = new AuditLog(log);
        kubectl = new Kubectl(server, folder);
        prepareCluster();
        applyRolesOfApplications();
        createCandidatesOfAnAdministrator();

        ConfigurableApplicationContext newer = orders("a", "1.1.0");
        awaitHolder("shop", "orders", "orders-a");
        used(ORDERS, "application", "join an election");
        used(ORDERS, "application", "acquire a Lease that isn't there");
        used(ORDERS, "application", "begin a term, renew it");
        used(ORDERS, "application", MARK);

        createCandidate(
                "shop", "expired-1", "expired", Instant.now().minus(1, ChronoUnit.HOURS), Duration.ofSeconds(1), "");
        startCoordinator();
        coordinate();
        ConfigurableApplicationContext older = orders("b", "1.0.0");
        awaitHolder("shop", "orders", "orders-b");
        handOver(newer, older);
        // Candidates that have just renewed aren't pinged, so the time of the ping isn't known.
        marks.remove(ORDERS);
        used(ORDERS, "application", "answer a ping");

        resignation();
        shards();
        directLocks();
        migrate();
        stopEverything();
        awaitWatches();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        stopEverything();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void noRequestIsForbidden() {
        assertThat(audit.requestsOf(coordinator)).isNotEmpty();
        assertThat(audit.requestsOf(ORDERS)).isNotEmpty();
        assertThat(audit.forbidden()).isEmpty();
    }

    @Test
    void everyOperationOfTheTableWasRun() {
        assertThat(operations)
                .isEqualTo(
                        RightsTable.rows().stream().map(Row::operation).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void noRightIsUsedThatTheTableDoesNotName() {
        assertThat(usedBy(coordinator)).isSubsetOf(rightsOf("coordinator"));
        for (String account : watches.keySet()) {
            if (!account.equals(coordinator)) {
                assertThat(usedBy(account)).as(account).isSubsetOf(rightsOf("application"));
            }
        }
    }

    @Test
    void theCoordinatorOfAListOfNamespacesAsksForNothingElsewhere() {
        assertThat(audit.requestsOf(coordinator))
                .extracting(Request::namespace)
                .hasSameElementsAs(
                        installation.namespaced()
                                ? List.of("cle-system", "shop", "billing")
                                : List.of("", "cle-system", "shop", "billing"));
    }

    @Test
    void anApplicationTouchesNoLeaseButItsOwn() {
        assertThat(audit.requestsOf(ORDERS))
                .filteredOn(request ->
                        request.resource().equals("leases") && !request.verb().equals("create"))
                .extracting(Request::name)
                .containsOnly("orders");
    }

    private Set<String> usedBy(String account) {
        return audit.requestsOf(account).stream().map(Request::right).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> rightsOf(String who) {
        return RightsTable.rows().stream()
                .filter(row -> row.who().equals(who))
                .flatMap(row -> row.rights().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- the operations ------------------------------------------------------------------------------------------

    private void coordinate() throws Exception {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(250)).until(() -> {
            // These candidates existed before the coordinator, which pings them.
            renew("invoices-1");
            renew("receipts-1");
            return holder("billing", "invoices").equals("invoices-1")
                    && holder("billing", "receipts").equals("receipts-1");
        });
        used(coordinator, "coordinator", "watch, for elections and for the page");
        usedOrGranted(coordinator, "coordinator", CREATE, "");
        used(coordinator, "coordinator", "elect");
        used(coordinator, "coordinator", "ping a candidate");
        used(coordinator, "coordinator", "record a decision as an Event");
        used(coordinator, "coordinator", "report the status of a LeaseConfiguration");
        used(coordinator, "coordinator", "elect one of its replicas");
        usedOrGranted(coordinator, "coordinator", ADOPT, "orders");
        usedOrGranted(coordinator, "coordinator", REMOVE, "orders-a");
        // From now on, invoices-1 and its Lease aren't renewed.
        used(coordinator, "coordinator", "look at the pod of a silent holder");
        assertThat(send(page, "GET", "/actuator/elections", "").body()).contains("orders");
    }

    /** By the strategy, {@code b} leads again after a lease duration. */
    private void handOver(ConfigurableApplicationContext newer, ConfigurableApplicationContext older) throws Exception {
        mark(ORDERS);
        HttpResponse<String> outcome =
                send(port(older), "POST", "/actuator/leaderelection/orders", "{\"successor\": \"orders-a\"}");
        assertThat(outcome.statusCode()).as(outcome.body()).isEqualTo(200);
        awaitHolder("shop", "orders", "orders-a");
        used(ORDERS, "application", "hand over to a named candidate");
        awaitHolder("shop", "orders", "orders-b");

        mark(ORDERS);
        AvailabilityChangeEvent.publish(older, ReadinessState.REFUSING_TRAFFIC);
        awaitHolder("shop", "orders", "orders-a");
        used(ORDERS, "application", "hand over because it isn't ready");
        older.close();
        assertThat(newer.getBean(CoordinatedLeaseLock.class).awaitLeadership(PATIENCE))
                .isTrue();
    }

    private void resignation() throws Exception {
        ConfigurableApplicationContext tenants = application("shop:tenants", "tenants", "a");
        CoordinatedLeaseLock main = tenants.getBean(CoordinatedLeaseLock.class);
        assertThat(main.awaitLeadership(PATIENCE)).isTrue();
        mark("shop:tenants");
        assertThat(main.resign().toCompletableFuture().join()).isEqualTo(Resignation.RELEASED);
        used("shop:tenants", "application", "resign, stop");
        tenants.close();
    }

    private void shards() throws Exception {
        if (unprovoked().contains(SHARDS)) {
            usedOrGranted("shop:tenants", "application", SHARDS, "");
            return;
        }
        mark("shop:tenants");
        ConfigurableApplicationContext tenants = application(
                "shop:tenants",
                "tenants",
                "b",
                "--cle.leases.parts.shards=4",
                "--cle.leases.parts.candidate.strategy=Balanced");
        Shards shards = tenants.getBean(Shards.class);
        await().atMost(PATIENCE).until(() -> shards.held().size() == 4);
        used("shop:tenants", "application", SHARDS);
        tenants.close();
        assertThat(holder("shop", "parts-4-3")).isEmpty();
    }

    /** Starts direct locks, which lead until responses are lost, because only then do they read their records. */
    private void directLocks() throws Exception {
        for (String kind : DIRECT_LOCKS.keySet()) {
            ConfigurableApplicationContext application =
                    application("billing:" + kind, kind, "a", "--cle.resource-lock=" + kind);
            assertThat(application.getBean(CoordinatedLeaseLock.class).awaitLeadership(PATIENCE))
                    .isTrue();
        }
    }

    /** The former owner holds the shared lease until responses are lost, like the direct locks; then the other service takes over. */
    private void migrate() throws Exception {
        ConfigurableApplicationContext from = migrating("shop");
        awaitHolder("shop", "shop-to-billing", "shop-a");
        migrating("billing");
        awaitHolder("shop", "billing", "billing-billing-a");
        loseAnswers();
        from.close();
        awaitHolder("shop", "shop-to-billing", "billing-a");
    }

    private ConfigurableApplicationContext migrating(String service) throws IOException {
        return application(
                "shop:" + service,
                service,
                service + "-a",
                "--cle.migration.enabled=true",
                "--cle.migration.config-file=base64:"
                        + Base64.getEncoder().encodeToString("""
                        leaderName: shop-to-billing
                        controllerLeaders: [{name: invoices, component: *}]
                        """.getBytes(StandardCharsets.UTF_8)));
    }

    private void loseAnswers() {
        mark(ORDERS);
        mark(coordinator);
        server.stopEtcd();
        used(ORDERS, "application", "read the Lease because an answer was lost");
        used(coordinator, "coordinator", "read the Lease of its replicas because an answer was lost");
        used("billing:leases", "application", "lead by a Lease without a coordinator");
        used("billing:endpoints", "application", "lead by an Endpoints object");
        used("billing:configmaps", "application", "lead by a ConfigMap");
        used("shop:shop", "application", "hold the shared lease of a migration");
        server.startEtcd();
        awaitHolder("shop", "orders", "orders-a");
    }

    // ---- rights in use -------------------------------------------------------------------------------------------

    /** Marks the requests so far, which {@link #used} then ignores. */
    private void mark(String account) {
        marks.put(account, audit.requestsOf(account).size());
    }

    /** Waits until an operation has used all rights of the table since the last mark, except watches, which are logged when they end. */
    private void used(String account, String who, String operation) {
        await(installation + ", " + who + ": " + operation)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(250))
                .untilAsserted(() ->
                        assertThat(unused(account, who, operation)).allMatch(right -> right.startsWith("watch ")));
        watches.computeIfAbsent(account, unused -> new TreeSet<>()).addAll(unused(account, who, operation));
        operations.add(operation);
    }

    /** Like {@link #used}; for an operation that a test can't provoke, asks the server whether the account has the right. */
    private void usedOrGranted(String account, String who, String operation, String object) throws Exception {
        if (!unprovoked().contains(operation)) {
            used(account, who, operation);
            return;
        }
        for (String right : unused(account, who, operation)) {
            String[] verbAndResource = right.split(" ");
            String resource = verbAndResource[1].equals("leasecandidates")
                    ? "leasecandidates." + candidates().split("/")[0]
                    : verbAndResource[1];
            // Fails if the answer is no.
            kubectl.run(
                    "auth",
                    "can-i",
                    verbAndResource[0],
                    object.isEmpty() ? resource : resource + "/" + object,
                    "--namespace=shop",
                    "--as=system:serviceaccount:" + account);
        }
        operations.add(operation);
    }

    private void awaitWatches() {
        watches.forEach((account, rights) -> await(installation + ": the watches of " + account)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(usedBy(account)).containsAll(rights)));
    }

    /** Whether the server serves a version of an API. */
    boolean serves(String groupVersion) {
        return kubectl.serves(groupVersion);
    }

    private Set<String> unused(String account, String who, String operation) {
        List<Row> rows = RightsTable.rows().stream()
                .filter(row -> row.who().equals(who) && row.operation().equals(operation))
                .toList();
        assertThat(rows)
                .as("rows of '%s: %s' in deploy/README.md", who, operation)
                .isNotEmpty();
        boolean replicas = rows.stream().anyMatch(row -> row.roles().contains("cle-coordinator-replica"));
        Set<String> unused = new TreeSet<>();
        rows.forEach(row -> unused.addAll(row.rights()));
        audit.requestsOf(account).stream()
                .skip(marks.getOrDefault(account, 0))
                .filter(request -> !account.equals(coordinator)
                        || replicas == request.namespace().equals("cle-system"))
                .forEach(request -> unused.remove(request.right()));
        return unused;
    }

    // ---- the cluster ---------------------------------------------------------------------------------------------

    private void prepareCluster() throws Exception {
        for (JsonObject kind : CustomResourceDefinitions.all()) {
            String path = CUSTOM_RESOURCES + "/"
                    + kind.getAsJsonObject("metadata").get("name").getAsString();
            server.api().delete(path);
            await().atMost(PATIENCE).until(() -> server.api().get(path).code() == 404);
        }
        for (String namespace : List.of("shop", "billing")) {
            create("/api/v1/namespaces", "{'metadata': {'name': '" + namespace + "'}}");
        }
        installation.install(server, folder);
        await().atMost(PATIENCE).until(() -> kubectl.serves("coordination.cle.io/v1alpha1"));
        coordinator =
                "cle-system:" + pod("cle-system").get("serviceAccountName").getAsString();
    }

    /** Applies the example's rights: its own Role, or the ClusterRole of the coordinator's installation. */
    private void applyRolesOfApplications() throws Exception {
        List<String> manifests = new ArrayList<>();
        manifests.addAll(List.of(Installation.overlay(kubectl, "orders", "application", "leader-pod")
                .split("(?m)^---$")));
        if (installation != Installation.KUSTOMIZE_FOR_ALL_NAMESPACES
                && installation != Installation.KUSTOMIZE_FOR_A_LIST_OF_NAMESPACES) {
            assertThat(manifests.removeIf(manifest -> manifest.contains("kind: RoleBinding")
                            && manifest.contains("name: orders-leader-election")))
                    .isTrue();
            manifests.add(bindingOfClusterRole("orders"));
        }
        manifests.add(manifest("application/service-account.yaml").replace("orders", "tenants"));
        manifests.add(bindingOfClusterRole("tenants"));
        for (String service : List.of("shop", "billing")) {
            manifests.add(manifest("application/service-account.yaml").replace("orders", service));
            manifests.add(manifest("application/rbac.yaml").replace("orders", service));
        }
        manifests.add(manifest("leader-migration/rbac.yaml"));
        DIRECT_LOCKS.forEach((kind, role) -> Stream.of("application/service-account.yaml", role)
                .map(ShippedRights::manifest)
                .map(text -> text.replace("orders", kind).replace("namespace: shop", "namespace: billing"))
                .forEach(manifests::add));
        Installation.apply(kubectl, String.join("\n---\n", manifests));
    }

    private static String manifest(String path) {
        return Pages.read("cle-coordinator-app/deploy/" + path);
    }

    /** Returns a RoleBinding as created by {@code kubectl create rolebinding}. */
    private static String bindingOfClusterRole(String account) {
        return """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: %1$s-of-any-lease, namespace: shop}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cle-application}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: shop}]
                """.formatted(account);
    }

    private void createCandidatesOfAnAdministrator() {
        Duration valid = Duration.ofMinutes(10);
        // A silent holder with a pod.
        Reply pod = create("/api/v1/namespaces/billing/pods", """
                {'metadata': {'name': 'invoices-1'}, 'spec': {'containers': [{'name': 'invoices', 'image': 'invoices'}]}}
                """);
        createCandidate("billing", "invoices-1", "invoices", Instant.now(), valid, pod.at("metadata.uid"));
        // A Lease without the label isn't watched: the coordinator finds it through a conflict.
        create(LEASES + "billing/leases", """
                {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'receipts'}, 'spec': {'holderIdentity': ''}}
                """);
        createCandidate("billing", "receipts-1", "receipts", Instant.now(), valid, "");
        create("/apis/coordination.cle.io/v1alpha1/namespaces/billing/leaseconfigurations", """
                {'apiVersion': 'coordination.cle.io/v1alpha1', 'kind': 'LeaseConfiguration', 'metadata': {'name': 'of-no-lease'},
                 'spec': {'targetLease': 'of-no-lease*', 'strategy': 'NoCoordination'}}
                """);
    }

    private void createCandidate(
            String namespace, String name, String lease, Instant renewed, Duration validity, String podUid) {
        JsonObject candidate = JsonParser.parseString(candidate(namespace, lease, renewed, validity))
                .getAsJsonObject();
        JsonObject metadata = candidate.getAsJsonObject("metadata");
        metadata.addProperty("name", name);
        if (!podUid.isEmpty()) {
            metadata.add("ownerReferences", JsonParser.parseString("""
                    [{'apiVersion': 'v1', 'kind': 'Pod', 'name': '%s', 'uid': '%s'}]
                    """.formatted(name, podUid)));
        }
        create(candidatesIn(namespace), candidate.toString());
    }

    private void renew(String candidate) {
        patch(
                candidatesIn("billing") + "/" + candidate,
                "{\"spec\": {\"renewTime\": \"" + micros(Instant.now()) + "\"}}");
    }

    private void patch(String path, String json) {
        Reply reply = server.api().patch(path, "application/merge-patch+json", json);
        assertThat(reply.code()).as("%s: %s", path, reply.text()).isEqualTo(200);
    }

    static String micros(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).plusNanos(1000).toString();
    }

    private String candidatesIn(String namespace) {
        return "/apis/" + candidates() + "/namespaces/" + namespace + "/leasecandidates";
    }

    private String holder(String namespace, String lease) {
        return server.api().get(LEASES + namespace + "/leases/" + lease).at("spec.holderIdentity");
    }

    private void awaitHolder(String namespace, String lease, String holder) {
        await(installation + ": the holder of " + lease)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(holder(namespace, lease)).isEqualTo(holder));
    }

    private Reply create(String path, String json) {
        Reply reply = server.api().post(path, JsonParser.parseString(json));
        assertThat(reply.code()).as("%s: %s", path, reply.text()).isEqualTo(201);
        return reply;
    }

    // ---- processes -----------------------------------------------------------------------------------------------

    /** Returns the pod spec of the only Deployment of a namespace. */
    private JsonObject pod(String namespace) {
        Reply deployments = server.api().get("/apis/apps/v1/namespaces/" + namespace + "/deployments");
        return deployments
                .json()
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("spec")
                .getAsJsonObject("template")
                .getAsJsonObject("spec");
    }

    private void startCoordinator() throws IOException {
        Map<String, String> environment = new HashMap<>();
        for (JsonElement variable : pod("cle-system")
                .getAsJsonArray("containers")
                .get(0)
                .getAsJsonObject()
                .getAsJsonArray("env")) {
            JsonElement value = variable.getAsJsonObject().get("value");
            if (value != null) {
                environment.put(variable.getAsJsonObject().get("name").getAsString(), value.getAsString());
            }
        }
        environment.put("MANAGEMENT_SERVER_PORT", String.valueOf(LoopbackPorts.free()));
        environment.put("KUBECONFIG", kubeconfig(coordinator));
        running.add(JarProcess.start(
                JarProcess.COORDINATOR,
                environment,
                folder.resolve("coordinator.log"),
                List.of("--server.port=" + page)));
    }

    private ConfigurableApplicationContext orders(String identity, String version) throws IOException {
        Reply pod = create("/api/v1/namespaces/shop/pods", """
                {'metadata': {'name': '%s'}, 'spec': {'containers': [{'name': 'orders', 'image': 'orders'}]}}
                """.formatted(identity));
        return application(
                ORDERS,
                "orders",
                identity,
                "--POD_NAME=" + identity,
                "--POD_UID=" + pod.at("metadata.uid"),
                "--POD_NAMESPACE=shop",
                "--cle.leader-pod.enabled=true",
                "--cle.candidate.binary-version=" + version,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=immediate",
                "--management.endpoints.web.exposure.include=leaderelection",
                "--management.endpoint.leaderelection.access=unrestricted");
    }

    private ConfigurableApplicationContext application(
            String account, String name, String identity, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--spring.application.name=" + name,
                "--cle.kubernetes.kubeconfig=" + kubeconfig(account),
                "--cle.identity=" + identity,
                "--cle.candidate.strategy=" + strategy(),
                "--cle.fallback.delay=1s",
                "--cle.lease-duration=6s",
                "--cle.renew-deadline=4s",
                "--cle.retry-period=1s"));
        all.addAll(List.of(arguments));
        if (all.stream().noneMatch(argument -> argument.startsWith("--cle.candidate.binary-version="))) {
            all.add("--cle.candidate.binary-version=1.0.0");
        }
        boolean web = all.contains("--server.port=0");
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class, Invoices.class)
                .web(web ? WebApplicationType.SERVLET : WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(all.toArray(String[]::new));
        running.add(context);
        return context;
    }

    private String kubeconfig(String account) throws IOException {
        String[] parts = account.split(":");
        return new ServiceAccount(parts[0], parts[1]).kubeconfig(server, folder).toString();
    }

    private static int port(ConfigurableApplicationContext application) {
        return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private HttpResponse<String> send(int port, String method, String path, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private void stopEverything() {
        for (AutoCloseable process : running) {
            try {
                process.close();
            } catch (Exception e) {
                throw new AssertionError(process + " can't be stopped", e);
            }
        }
        running.clear();
    }
}
