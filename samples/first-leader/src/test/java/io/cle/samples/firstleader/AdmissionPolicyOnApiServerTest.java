package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The admission policies on a server that knows policies (Kubernetes 1.30 and newer), asked with service accounts' own tokens, bound to
 * pods as the kubelet's are.
 */
@EnabledIfNativeApiServer
@TestInstance(Lifecycle.PER_CLASS)
class AdmissionPolicyOnApiServerTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/strict/leases";
    private static final String CANDIDATES = "/apis/coordination.cle.io/v1alpha1/namespaces/strict/leasecandidates";
    private static final int FORBIDDEN = 403;

    private RealApiServer server;
    private HttpApi podA;
    private HttpApi podB;
    private String uidOfA;

    @BeforeAll
    void applyThePolicies() throws Exception {
        server = RealApiServer.sharedNative();
        create(
                "/api/v1/namespaces",
                "{'metadata': {'name': 'strict', 'labels': {'coordination.cle.io/strict': 'true'}}}");
        create("/api/v1/namespaces/strict/serviceaccounts", "{'metadata': {'name': 'orders'}}");
        create(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/strict/roles",
                "{'metadata': {'name': 'orders'}, 'rules': [{'apiGroups': ['coordination.k8s.io', 'coordination.cle.io'],"
                        + " 'resources': ['leases', 'leasecandidates'], 'verbs': ['get', 'create', 'patch', 'update', 'delete']}]}");
        create(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/strict/rolebindings",
                "{'metadata': {'name': 'orders'}, 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'orders'},"
                        + " 'subjects': [{'kind': 'ServiceAccount', 'name': 'orders', 'namespace': 'strict'}]}");
        for (String file : List.of("candidates.yaml", "leases.yaml")) {
            for (Object document : new Yaml()
                    .loadAll(Files.readString(
                            JarProcess.ROOT.resolve("cle-coordinator-app/deploy/admission-policy/" + file)))) {
                JsonObject object = new Gson().toJsonTree(document).getAsJsonObject();
                String kind = object.get("kind").getAsString();
                create(
                        "/apis/admissionregistration.k8s.io/v1/"
                                + (kind.endsWith("Binding")
                                        ? "validatingadmissionpolicybindings"
                                        : "validatingadmissionpolicies"),
                        object.toString());
            }
        }
        uidOfA = createPod("a");
        podA = tokenOf("a", uidOfA);
        podB = tokenOf("b", createPod("b"));
        // A policy takes effect a moment after it was created.
        await().atMost(Duration.ofSeconds(30))
                .until(() -> podA.post(LEASES, lease("awaited", "of-nobody")).code() == FORBIDDEN);
    }

    @Test
    void theServerFindsNothingWrongWithTheExpressions() {
        for (String policy : List.of("cle-candidates", "cle-leases")) {
            JsonObject found = server.api()
                    .get("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/" + policy)
                    .json();
            JsonElement status = found.get("status");
            assertThat(status == null ? "" : status.toString()).as(policy).doesNotContain("expressionWarnings");
        }
    }

    @Test
    void aPodCreatesItsOwnCandidateAndNoOther() {
        assertThat(podA.post(CANDIDATES, candidate("orders-a-x2k9z", "a", uidOfA))
                        .code())
                .isEqualTo(201);
        assertThat(podB.post(CANDIDATES, candidate("orders-a-aaaaa", "a", uidOfA))
                        .code())
                .isEqualTo(FORBIDDEN);
        assertThat(podB.delete(CANDIDATES + "/orders-a-x2k9z").code()).isEqualTo(FORBIDDEN);
        assertThat(podA.delete(CANDIDATES + "/orders-a-x2k9z").code()).isEqualTo(200);
    }

    @Test
    void aLeaseIsRenewedAndReleasedByItsHoldersPod() {
        assertThat(podA.post(LEASES, lease("renewed", "renewed-a-x2k9z")).code())
                .isEqualTo(201);
        assertThat(hold(podA, "renewed", "renewed-a-x2k9z")).isEqualTo(200);
        assertThat(hold(podB, "renewed", "renewed-b-7f9cq")).isEqualTo(FORBIDDEN);
        assertThat(hold(podB, "renewed", "")).isEqualTo(FORBIDDEN);
        assertThat(hold(podA, "renewed", "")).isEqualTo(200);
        assertThat(hold(podB, "renewed", "renewed-b-7f9cq")).isEqualTo(200);
    }

    @Test
    void aLeaseWithTheUidOfAnotherPodIsNotRenewedByOneOfTheHoldersName() {
        String holder = "bound-a-x2k9z";
        assertThat(podA.post(LEASES, lease("bound", holder)).code()).isEqualTo(201);
        assertThat(bind(podA, "bound", holder, "uid-of-another-a")).isEqualTo(FORBIDDEN);
        assertThat(bind(podA, "bound", holder, uidOfA)).isEqualTo(200);
        assertThat(hold(podA, "bound", holder)).isEqualTo(200);

        // An administrator may do what the coordinator does.
        assertThat(bind(server.api(), "bound", holder, "uid-of-another-a")).isEqualTo(200);
        assertThat(hold(podA, "bound", holder)).isEqualTo(FORBIDDEN);
        assertThat(hold(podA, "bound", "")).isEqualTo(FORBIDDEN);
    }

    private static int bind(HttpApi api, String lease, String holder, String uid) {
        return api.patch(
                        LEASES + "/" + lease,
                        "application/merge-patch+json",
                        "{\"metadata\": {\"annotations\": {\"coordination.cle.io/holder-pod\": \"" + uid + "/" + holder
                                + "\"}}}")
                .code();
    }

    @Test
    void aLeaseIsHandedOverToThePreferredHolderOrToACandidate() {
        assertThat(podA.post(LEASES, lease("handed", "handed-a-x2k9z")).code()).isEqualTo(201);
        assertThat(hold(podA, "handed", "ghost")).isEqualTo(FORBIDDEN);
        // An administrator may do what the coordinator does.
        Reply marked = server.api()
                .patch(
                        LEASES + "/handed",
                        "application/merge-patch+json",
                        "{\"metadata\": {\"annotations\": {\"coordination.k8s.io/preferred-holder\": \"preferred\"}}}");
        assertThat(marked.code()).isEqualTo(200);
        assertThat(hold(podA, "handed", "preferred")).isEqualTo(200);
    }

    private static int hold(HttpApi api, String lease, String holder) {
        return api.patch(
                        LEASES + "/" + lease,
                        "application/merge-patch+json",
                        "{\"spec\": {\"holderIdentity\": \"" + holder + "\", \"leaseDurationSeconds\": 5}}")
                .code();
    }

    private static JsonElement lease(String name, String holder) {
        return JsonParser.parseString("{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': '"
                + name + "'}, 'spec': {'holderIdentity': '" + holder + "'}}");
    }

    private static JsonElement candidate(String name, String pod, String uid) {
        return JsonParser.parseString(
                "{'apiVersion': 'coordination.cle.io/v1alpha1', 'kind': 'LeaseCandidate', 'metadata':"
                        + " {'name': '" + name + "', 'ownerReferences': [{'apiVersion': 'v1', 'kind': 'Pod', 'name': '"
                        + pod
                        + "', 'uid': '" + uid
                        + "'}]}, 'spec': {'canLeadLease': 'strict/orders', 'renewTime': '2026-01-01T00:00:00Z'}}");
    }

    private String createPod(String name) {
        return create(
                        "/api/v1/namespaces/strict/pods",
                        "{'metadata': {'name': '" + name + "'}, 'spec': {'serviceAccountName': 'orders',"
                                + " 'containers': [{'name': 'orders', 'image': 'orders'}]}}")
                .metadata()
                .get("uid")
                .getAsString();
    }

    private HttpApi tokenOf(String pod, String uid) throws IOException {
        Reply token = create(
                "/api/v1/namespaces/strict/serviceaccounts/orders/token",
                "{'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {'boundObjectRef':"
                        + " {'apiVersion': 'v1', 'kind': 'Pod', 'name': '" + pod + "', 'uid': '" + uid + "'}}}");
        return new HttpApi(
                server.uri(),
                server.sslContext(),
                token.json().getAsJsonObject("status").get("token").getAsString());
    }

    private Reply create(String path, String json) {
        Reply reply = server.api().post(path, JsonParser.parseString(json));
        assertThat(reply.code()).as("%s: %s", path, reply.text()).isEqualTo(201);
        return reply;
    }
}
