package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.samples.firstleader.Review.Account;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The policies on a complete kube-apiserver that supports them, with the rights of the manifests and tokens of service
 * accounts, bound to pods as the kubelet's are.
 */
@EnabledIfNativeApiServer
class AdmissionPolicyOnApiServerTest extends AdmissionPolicyContract {

    private final Map<String, String> uids = new HashMap<>();
    private final Map<Account, String> tokens = new HashMap<>();
    private final Map<Account, HttpApi> accounts = new HashMap<>();
    private RealApiServer server;

    @BeforeAll
    void applyTheManifests() throws IOException {
        server = RealApiServer.startNative();
        for (String namespace : List.of("shop", "billing", "cle-system")) {
            create("/api/v1/namespaces", "{'metadata': {'name': '" + namespace + "'}}");
        }
        labelTheNamespace("true");
        for (String file : List.of(
                "application/service-account.yaml",
                "application/rbac.yaml",
                "base/coordinator.yaml",
                "namespaces/role-bindings.yaml",
                "helm/files/admission-policy/candidates.yaml",
                "helm/files/admission-policy/leases.yaml",
                "leader-pod/rbac.yaml",
                "helm/files/admission-policy/pods.yaml")) {
            for (Object document : new Yaml()
                    .loadAll(Files.readString(JarProcess.ROOT.resolve("cle-coordinator-app/deploy/" + file)))) {
                apply(new Gson().toJsonTree(document).getAsJsonObject());
            }
        }
        // Shards, and the leases of a group, need the rights of the ClusterRole.
        create(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings",
                "{'metadata': {'name': 'orders-shards'}, 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io',"
                        + " 'kind': 'ClusterRole', 'name': 'cle-application'}, 'subjects':"
                        + " [{'kind': 'ServiceAccount', 'name': 'orders', 'namespace': 'shop'}]}");
        create("/api/v1/namespaces/kube-system/serviceaccounts", "{'metadata': {'name': 'generic-garbage-collector'}}");
        for (String pod : List.of("a", "b", "orders-a")) {
            Reply created = create(
                    "/api/v1/namespaces/shop/pods",
                    "{'metadata': {'name': '" + pod + "'}, 'spec': {'serviceAccountName': 'orders',"
                            + " 'containers': [{'name': 'app', 'image': 'orders'}]}}");
            uids.put(pod, created.metadata().get("uid").getAsString());
        }
        accounts.put(Account.ADMINISTRATOR, server.api());
        awaitAllPolicies();
    }

    private void labelTheNamespace(String strict) {
        Reply labelled = server.api()
                .patch(
                        "/api/v1/namespaces/shop",
                        "application/merge-patch+json",
                        "{\"metadata\": {\"labels\": {\"coordination.cle.io/strict\": \"" + strict + "\"}}}");
        assertThat(labelled.code()).as(labelled.text()).isEqualTo(200);
    }

    /** Waits for all policies: each takes effect a moment after it was created or its namespace was labelled. */
    private void awaitAllPolicies() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> refusesLeaseOfNobody() && refusesCandidateOfNobody() && refusesLabelOfAnotherPod());
    }

    private boolean refusesLeaseOfNobody() {
        Map<String, Object> ofNobody =
                Map.of("metadata", Map.of("name", "orders"), "spec", Map.of("holderIdentity", "x"));
        return refuses(Review.of(Review.pod("a"), "Lease", ofNobody, null)).isPresent();
    }

    private boolean refusesCandidateOfNobody() {
        Map<String, Object> candidate = Map.of(
                "apiVersion", "coordination.cle.io/v1alpha1",
                "metadata", Map.of("name", "x"),
                "spec", Map.of("canLeadLease", "shop/orders", "renewTime", "2026-01-01T00:00:00Z"));
        return refuses(Review.of(Review.pod("a"), "LeaseCandidate", candidate, null))
                .isPresent();
    }

    private boolean refusesLabelOfAnotherPod() {
        return accounts.get(Review.pod("a"))
                        .patch(
                                "/api/v1/namespaces/shop/pods/b",
                                "application/merge-patch+json",
                                "{\"metadata\": {\"labels\": {\"role\": \"x\"}}}")
                        .code()
                == 403;
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** Runs a scenario with the pods' own tokens; returns the refused writes. */
    private List<String> refusals(ApiFormat format, boolean coordinated) throws Exception {
        server.api().delete("/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders");
        List<String> refusals = new CopyOnWriteArrayList<>();
        StrictProcesses processes = new StrictProcesses(
                format,
                "OldestCompatibilityVersion",
                pod -> {
                    ApiClient client = server.newApiClient();
                    client.setHttpClient(client.getHttpClient()
                            .newBuilder()
                            .addInterceptor(chain -> {
                                Response response = chain.proceed(chain.request()
                                        .newBuilder()
                                        .header("Authorization", "Bearer " + token(Review.pod(pod)))
                                        .build());
                                if (response.code() == 403) {
                                    refusals.add(response.peekBody(10_000).string());
                                }
                                return response;
                            })
                            .build());
                    return KubernetesAccess.of(client);
                },
                this::uid);
        if (coordinated) {
            processes.areElectedAndYield();
        } else {
            processes.raceAndResign();
        }
        return refusals;
    }

    @Test
    void noRequestOfCandidatesThatRaceIsRefused() throws Exception {
        assertThat(refusals(ApiFormat.CRD, false)).isEmpty();
    }

    @Test
    void noRequestOfCandidatesThatKubeApiserverElectsIsRefused() throws Exception {
        assertThat(refusals(ApiFormat.NATIVE, true)).isEmpty();
    }

    /** With another label value, a namespace has only the policy for pods. */
    @Test
    void namespaceMayHaveThePolicyForPodsAlone() {
        labelTheNamespace("pods");
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> !refusesLeaseOfNobody() && !refusesCandidateOfNobody());
            assertThat(refusesLabelOfAnotherPod()).isTrue();
        } finally {
            labelTheNamespace("true");
            awaitAllPolicies();
        }
    }

    /** Applies an object like kubectl: an unknown field is an error. */
    private void apply(JsonObject object) {
        String version = object.get("apiVersion").getAsString();
        JsonElement namespace = object.getAsJsonObject("metadata").get("namespace");
        String kind = object.get("kind").getAsString().toLowerCase(Locale.ROOT);
        create(
                (version.contains("/") ? "/apis/" : "/api/") + version
                        + (namespace == null ? "" : "/namespaces/" + namespace.getAsString())
                        + "/" + (kind.endsWith("y") ? kind.substring(0, kind.length() - 1) + "ies" : kind + "s")
                        + "?fieldValidation=Strict",
                object.toString());
    }

    @Override
    String uid(String pod) {
        return Objects.requireNonNull(uids.get(pod), pod);
    }

    @Override
    Optional<String> refuses(Review review) {
        String collection = (review.group().isEmpty() ? "/api" : "/apis/" + review.group()) + "/" + review.version()
                + "/namespaces/shop/" + review.resource();
        String path = collection + "/" + review.name();
        if (review.kind().equals("Pod")) {
            bringTo(path, json(review, review.before()));
        } else {
            assertThat(server.api().delete(path).code())
                    .as("removal of %s", path)
                    .isIn(200, 404);
        }
        if (review.before() != null && !review.kind().equals("Pod")) {
            Reply before = server.api().post(collection, json(review, review.before()));
            assertThat(before.code())
                    .as("%s: %s", review.before(), before.text())
                    .isEqualTo(201);
        }
        HttpApi api = accounts.computeIfAbsent(review.account(), this::withToken);
        String dryRun = review.dryRun() ? "?dryRun=All" : "";
        Reply reply = switch (review.operation()) {
            case "CREATE" -> api.post(collection + dryRun, json(review, review.object()));
            case "UPDATE" ->
                api.patch(
                        path + dryRun,
                        "application/merge-patch+json",
                        patch(json(review, review.before()), json(review, review.object()))
                                .toString());
            default -> api.delete(path + dryRun);
        };
        if (reply.code() == 200 || reply.code() == 201) {
            return Optional.empty();
        }
        // The server's own validation fails with 422 for a record that the policies would also refuse.
        assertThat(reply.code() == 422
                        || (reply.code() == 403 && reply.message().contains("ValidatingAdmissionPolicy")))
                .as(reply.text())
                .isTrue();
        return Optional.of(reply.message());
    }

    /** Sets a pod's labels and annotations as an administrator. A new pod would have another uid, and no token. */
    private void bringTo(String path, JsonElement before) {
        JsonObject current = server.api().get(path).json().getAsJsonObject("metadata");
        JsonObject wanted = before.getAsJsonObject().getAsJsonObject("metadata");
        JsonObject metadata = new JsonObject();
        for (String field : List.of("labels", "annotations")) {
            JsonObject had = current.has(field) ? current.getAsJsonObject(field) : new JsonObject();
            metadata.add(field, patch(had, wanted.get(field)));
        }
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        Reply reply = server.api().patch(path, "application/merge-patch+json", patch.toString());
        assertThat(reply.code()).as(reply.text()).isEqualTo(200);
    }

    private static JsonElement json(Review review, Map<String, Object> object) {
        return new Gson().toJsonTree(review.complete(object));
    }

    /** Returns the merge patch from one object to another, because applications have rights only for patches. */
    private static JsonObject patch(JsonElement from, JsonElement to) {
        JsonObject patch = new JsonObject();
        Set<String> names = new TreeSet<>(from.getAsJsonObject().keySet());
        names.addAll(to.getAsJsonObject().keySet());
        for (String name : names) {
            JsonElement before = from.getAsJsonObject().get(name);
            JsonElement after = to.getAsJsonObject().get(name);
            if (before != null && after != null && before.isJsonObject() && after.isJsonObject()) {
                patch.add(name, patch(before, after));
            } else if (!Objects.equals(before, after)) {
                patch.add(name, after == null ? JsonNull.INSTANCE : after);
            }
        }
        return patch;
    }

    private HttpApi withToken(Account account) {
        return new HttpApi(server.uri(), server.sslContext(), token(account));
    }

    private synchronized String token(Account account) {
        return tokens.computeIfAbsent(account, this::newToken);
    }

    private String newToken(Account account) {
        String[] user = account.user().split(":");
        String bound = account.pod() == null
                ? ""
                : "'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': '" + account.pod() + "', 'uid': '"
                        + uid(account.pod()) + "'}";
        Reply token = create(
                "/api/v1/namespaces/" + user[2] + "/serviceaccounts/" + user[3] + "/token",
                "{'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {" + bound + "}}");
        return token.at("status.token");
    }

    private Reply create(String path, String json) {
        Reply reply = server.api().post(path, JsonParser.parseString(json));
        assertThat(reply.code()).as("%s: %s", path, reply.text()).isEqualTo(201);
        return reply;
    }
}
