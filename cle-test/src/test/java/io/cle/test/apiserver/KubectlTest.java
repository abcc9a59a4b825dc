package io.cle.test.apiserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.memory.ApiServerRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** This machine's {@code kubectl} against the embedded server. */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts kubectl again and again; CI=true ./mvnw verify runs it")
class KubectlTest {

    private static final String LEASE = """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: orders, namespace: shop}
            spec: {holderIdentity: one, leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z"}
            """;
    private static final String CANDIDATE = """
            apiVersion: coordination.cle.io/v1alpha1
            kind: LeaseCandidate
            metadata:
              name: orders-1
              namespace: shop
              labels: {binary-version: 1.2.0, compatibility-version: 1.1.0}
            spec: {canLeadLease: shop/orders, strategy: OldestCompatibilityVersion, priority: 3, renewTime: "2026-01-01T00:00:00Z"}
            """;

    @TempDir
    private Path home;

    private EmbeddedApiServer server;
    private HttpApi api;
    private Kubectl kubectl;

    @BeforeAll
    static void findKubectl() {
        assumeTrue(Kubectl.isThere(), "skipped, kubectl is not on the PATH");
    }

    @BeforeEach
    void start() {
        server = EmbeddedApiServer.start();
        api = new HttpApi(server.uri());
        kubectl = new Kubectl(home, server.writeKubeconfig(home.resolve("kubeconfig")));
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void createsAndGets() throws IOException {
        assertThat(kubectl.run("create", "-f", file(LEASE + "---\n" + CANDIDATE)))
                .contains("lease.coordination.k8s.io/orders created")
                .contains("leasecandidate.coordination.cle.io/orders-1 created");

        assertThat(columns(kubectl.run("get", "lease", "-n", "shop"))).containsExactly("NAME", "HOLDER", "AGE");
        assertThat(kubectl.run("get", "lease", "-n", "shop")).containsPattern("orders +one +\\d+s");
        assertThat(kubectl.run("get", "lcand", "--all-namespaces"))
                .containsPattern("NAMESPACE +NAME +LEASE +BINARY +COMPATIBILITY +STRATEGY +RENEWED +AGE")
                .containsPattern("shop +orders-1 +shop/orders +1.2.0 +1.1.0 +OldestCompatibilityVersion");
        assertThat(columns(kubectl.run("get", "lcand", "-n", "shop", "-o", "wide")))
                .contains("PRIORITY");
        assertThat(kubectl.run("get", "lease", "orders", "-n", "shop", "-o", "jsonpath={.spec.holderIdentity}"))
                .isEqualTo("one");
        assertThat(kubectl.run("describe", "lease", "orders", "-n", "shop")).contains("Holder Identity:");
    }

    @Test
    void refusesWhatTheDefinitionRefuses() throws IOException {
        String wrong = file(CANDIDATE.replace("canLeadLease: shop/orders", "canLeadLease: orders"));
        String misspelt = file(CANDIDATE.replace("priority", "prority"));

        assertThat(failure("create", "-f", wrong)).contains("spec.canLeadLease in body should match");
        assertThat(failure("create", "-f", misspelt)).contains("unknown field \"spec.prority\"");
    }

    @Test
    void watches() throws IOException {
        kubectl.run("create", "-f", file(LEASE));
        Process watch = kubectl.start("get", "lease", "-n", "shop", "-w");
        try (BufferedReader lines = Kubectl.linesOf(watch)) {
            assertThat(lines.readLine()).matches("NAME +HOLDER +AGE *");
            assertThat(lines.readLine()).matches("orders +one +.*");

            api.patch(
                    "/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders",
                    ApiServerRequest.MERGE_PATCH,
                    "{\"spec\": {\"holderIdentity\": \"two\"}}");

            assertThat(lines.readLine()).matches("orders +two +.*");
        } finally {
            watch.destroyForcibly();
        }
    }

    @Test
    void edits() throws IOException {
        kubectl.run("create", "-f", file(LEASE + "---\n" + CANDIDATE));

        assertThat(edit("lease", "orders", "holderIdentity: one", "holderIdentity: two"))
                .contains("lease.coordination.k8s.io/orders edited");
        assertThat(edit("lcand", "orders-1", "priority: 3", "priority: 4"))
                .contains("leasecandidate.coordination.cle.io/orders-1 edited");

        assertThat(spec("lease", "orders").get("holderIdentity").getAsString()).isEqualTo("two");
        assertThat(spec("lcand", "orders-1").get("priority").getAsInt()).isEqualTo(4);
    }

    @Test
    void labelsAnnotatesAndPatches() throws IOException {
        kubectl.run("create", "-f", file(LEASE + "---\n" + CANDIDATE));

        kubectl.run("label", "lcand", "orders-1", "-n", "shop", "zone=a");
        kubectl.run("annotate", "lease", "orders", "-n", "shop", "coordination.k8s.io/strategy=NoCoordination");
        kubectl.run("patch", "lease", "orders", "-n", "shop", "-p", "{\"spec\": {\"holderIdentity\": \"two\"}}");

        assertThat(kubectl.run("get", "lcand", "-n", "shop", "-l", "zone=a", "-o", "name"))
                .contains("orders-1");
        assertThat(kubectl.run("get", "lease", "orders", "-n", "shop", "-o", "yaml"))
                .contains("coordination.k8s.io/strategy: NoCoordination", "holderIdentity: two");
        kubectl.run("annotate", "lease", "orders", "-n", "shop", "coordination.k8s.io/strategy-");
        assertThat(kubectl.run("get", "lease", "orders", "-n", "shop", "-o", "yaml"))
                .doesNotContain("coordination.k8s.io/strategy");
    }

    @Test
    void appliesInBothWays() throws IOException {
        String before = file(LEASE + "---\n" + CANDIDATE);
        String after = file(LEASE.replace("one", "two") + "---\n" + CANDIDATE.replace(", priority: 3", ""));

        assertThat(kubectl.run("apply", "-f", before)).contains("orders created", "orders-1 created");
        assertThat(kubectl.run("apply", "-f", before)).contains("orders unchanged", "orders-1 unchanged");
        assertThat(kubectl.run("apply", "-f", after)).contains("orders configured", "orders-1 configured");
        assertThat(spec("lcand", "orders-1").has("priority")).isFalse();
        assertThat(kubectl.run("apply", "--server-side", "--force-conflicts", "-f", before))
                .contains("orders serverside-applied", "orders-1 serverside-applied");
        assertThat(spec("lease", "orders").get("holderIdentity").getAsString()).isEqualTo("one");
    }

    @Test
    void appliesTheDefinitions() throws IOException {
        try (EmbeddedApiServer bare =
                EmbeddedApiServer.builder().withoutCustomResourceDefinitions().start()) {
            Kubectl onBare = new Kubectl(home, bare.writeKubeconfig(home.resolve("bare-kubeconfig")));
            String definitions = file(String.join("---\n", CustomResourceDefinitions.manifests()));

            assertThat(onBare.run("apply", "-f", definitions)).contains("leasecandidates.coordination.cle.io created");
            assertThat(onBare.run(
                            "get",
                            "crd/leasecandidates.coordination.cle.io",
                            "-o",
                            "jsonpath={.status.conditions[?(@.type=='Established')].status}"))
                    .isEqualTo("True");

            assertThat(onBare.run("create", "-f", file(CANDIDATE))).contains("orders-1 created");
        }
    }

    @Test
    void deletes() throws IOException {
        String both = file(LEASE + "---\n" + CANDIDATE);
        kubectl.run("create", "-f", both);

        assertThat(kubectl.run("delete", "-f", both, "--timeout=20s")).contains("\"orders\"", "\"orders-1\"");

        assertThat(kubectl.run("get", "lease,lcand", "-n", "shop")).contains("No resources found");
    }

    @Test
    void showsAndDeletesPodsWithTheirEvents() throws IOException {
        kubectl.run("create", "-f", file("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: orders-7f9c, namespace: shop}
                        spec: {nodeName: node-1, containers: [{name: app, image: app}]}
                        """));
        String uid = kubectl.run("get", "pod", "orders-7f9c", "-n", "shop", "-o", "jsonpath={.metadata.uid}");
        kubectl.run("create", "-f", file("""
                        apiVersion: v1
                        kind: Event
                        metadata: {name: orders-7f9c.1, namespace: shop}
                        involvedObject: {kind: Pod, name: orders-7f9c, namespace: shop, uid: %s}
                        reason: LeaderElected
                        message: orders-7f9c leads
                        type: Normal
                        """.formatted(uid)));

        assertThat(kubectl.run("get", "pods", "-n", "shop", "-o", "wide"))
                .containsPattern("orders-7f9c +Pending +\\d+s +node-1");
        assertThat(kubectl.run("describe", "pod", "orders-7f9c", "-n", "shop")).contains("orders-7f9c leads");
        assertThat(kubectl.run("get", "events", "-n", "shop", "--field-selector", "involvedObject.kind=Pod"))
                .contains("LeaderElected");
        assertThat(kubectl.run("delete", "pods,events", "--all", "-n", "shop", "--timeout=20s"))
                .contains("\"orders-7f9c\"", "\"orders-7f9c.1\"");
        assertThat(kubectl.run("get", "pods,events", "-n", "shop")).contains("No resources found");
    }

    @Test
    void findsOutWhatIsServed() {
        assertThat(kubectl.run("api-resources", "--api-group=coordination.cle.io"))
                .containsPattern("leasecandidates +lcand +coordination.cle.io/v1alpha1 +true +LeaseCandidate");
        assertThat(kubectl.run("version")).contains("Server Version: v1.");
    }

    private String edit(String kind, String name, String from, String to) {
        Map<String, String> editor = Map.of("KUBE_EDITOR", "sed -i 's/" + from + "/" + to + "/'");
        return kubectl.run(editor, "edit", kind, name, "-n", "shop");
    }

    private JsonObject spec(String kind, String name) {
        String plural = kind.equals("lease")
                ? "/apis/coordination.k8s.io/v1/namespaces/shop/leases/"
                : "/apis/coordination.cle.io/v1alpha1/namespaces/shop/leasecandidates/";
        return api.get(plural + name).spec();
    }

    private String failure(String... arguments) {
        try {
            throw new IllegalStateException("kubectl succeeded: " + kubectl.run(arguments));
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }

    private static List<String> columns(String table) {
        return List.of(table.lines().findFirst().orElseThrow().trim().split(" +"));
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(Files.createTempFile(home, "object", ".yaml"), yaml)
                .toString();
    }
}
