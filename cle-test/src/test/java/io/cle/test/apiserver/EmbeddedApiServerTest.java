package io.cle.test.apiserver;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.memory.NativeApi;
import io.cle.test.apiserver.memory.RequestCounts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The embedded server's controls, which cause what no healthy server does, and its options. */
class EmbeddedApiServerTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";
    private static final String NATIVE_CANDIDATES = "/apis/coordination.k8s.io/v1beta1/namespaces/shop/leasecandidates";

    private EmbeddedApiServer server;
    private HttpApi api;

    @BeforeEach
    void start() {
        server = EmbeddedApiServer.start();
        api = new HttpApi(server.uri());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void createsNamespacesOnDemand() {
        assertThat(api.post(LEASES, lease("orders")).code()).isEqualTo(201);

        assertThat(api.get("/api/v1/namespaces/shop").code()).isEqualTo(200);
    }

    @Test
    void refusesToWatchByWebSocketSoThatAClientWatchesByHttp() {
        assertThatThrownBy(() -> HttpClient.newHttpClient()
                        .newWebSocketBuilder()
                        .buildAsync(
                                URI.create(server.url().replace("http:", "ws:") + LEASES + "?watch=true"),
                                new WebSocket.Listener() {})
                        .join())
                .hasCauseInstanceOf(WebSocketHandshakeException.class)
                .hasStackTraceContaining("503");
    }

    @Test
    void countsRequestsByVerbAndResource() {
        RequestCounts before = server.requests();
        api.post(LEASES, lease("orders"));
        api.get(LEASES + "/orders");
        api.get(LEASES + "/orders");
        api.get(LEASES);
        api.get("/version");

        RequestCounts counts = server.requests().since(before);

        assertThat(counts.of("create", "leases")).isEqualTo(1);
        assertThat(counts.of("get", "leases")).isEqualTo(2);
        assertThat(counts.of("list", "leases")).isEqualTo(1);
        assertThat(counts.total()).isEqualTo(4);
    }

    @Test
    void refusesWhatIsNeitherJsonNorYaml() {
        api.post(LEASES, lease("orders"));

        assertThat(api.patch(LEASES + "/orders", "application/vnd.kubernetes.protobuf", "k8s")
                        .code())
                .isEqualTo(415);
    }

    @Test
    void servesNoCandidatesWithoutTheirDefinition() {
        try (EmbeddedApiServer bare =
                EmbeddedApiServer.builder().withoutCustomResourceDefinitions().start()) {
            HttpApi bareApi = new HttpApi(bare.uri());
            String candidates = "/apis/coordination.cle.io/v1alpha1/leasecandidates";
            assertThat(bareApi.get(candidates).code()).isEqualTo(404);

            String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            CustomResourceDefinitions.all().forEach(crd -> bareApi.post(definitions, crd));
            assertThat(bareApi.get(candidates).code()).isEqualTo(200);

            bareApi.delete(definitions + "/leasecandidates.coordination.cle.io");
            assertThat(bareApi.get(candidates).code()).isEqualTo(404);
        }
    }

    private boolean isAllowed(String verb) {
        JsonObject review = json("""
                {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes":
                  {"namespace": "shop", "verb": "%s", "group": "coordination.k8s.io", "resource": "leases"}}}
                """.formatted(verb));
        return api.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)
                .json()
                .getAsJsonObject("status")
                .get("allowed")
                .getAsBoolean();
    }

    private String groupVersions() {
        return api.get("/apis").text();
    }

    private static JsonObject lease(String name) {
        return json("{\"metadata\": {\"name\": \"%s\"}, \"spec\": {\"holderIdentity\": \"me\"}}".formatted(name));
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    @Nested
    class ACompaction {

        @Test
        void aCompactionCompactionRefusesWatchesFromBeforeIt() {
            String before = api.post(LEASES, lease("orders")).resourceVersion();
            server.compact();

            try (WatchReader watch = api.watch(LEASES + "?watch=true&resourceVersion=" + before)) {
                JsonObject event = watch.next();
                assertThat(event.get("type").getAsString()).isEqualTo("ERROR");
                assertThat(event.getAsJsonObject("object").get("code").getAsInt())
                        .isEqualTo(410);
                watch.expectEnd();
            }
        }

        @Test
        void aCompactionRefusesThePageOfAListFromBeforeIt() {
            api.post(LEASES, lease("a"));
            api.post(LEASES, lease("b"));
            String token = api.get(LEASES + "?limit=1")
                    .json()
                    .getAsJsonObject("metadata")
                    .get("continue")
                    .getAsString();
            server.compact();

            HttpApi.Reply refused = api.get(LEASES + "?limit=1&continue=" + token);

            assertThat(refused.code()).isEqualTo(410);
            assertThat(refused.reason()).isEqualTo("Expired");
        }

        @Test
        void aCompactionLeavesOpenWatches() {
            try (WatchReader watch = api.watch(LEASES + "?watch=true")) {
                server.compact();
                api.post(LEASES, lease("orders"));

                assertThat(watch.next().get("type").getAsString()).isEqualTo("ADDED");
            }
        }
    }

    @Nested
    class ARestart {

        @Test
        void aRestartComesBackAtTheSameAddressWithItsObjectsAndHistory() {
            URI before = server.uri();
            String resourceVersion = api.get(LEASES).resourceVersion();
            api.post(LEASES, lease("orders"));

            server.restart();

            assertThat(server.uri()).isEqualTo(before);
            assertThat(api.get(LEASES + "/orders").code()).isEqualTo(200);
            try (WatchReader watch = api.watch(LEASES + "?watch=true&resourceVersion=" + resourceVersion)) {
                assertThat(watch.next().get("type").getAsString()).isEqualTo("ADDED");
            }
        }

        @Test
        void aRestartCutsWatchesAndRefusesConnectionsMeanwhile() {
            try (WatchReader watch = api.watch(LEASES + "?watch=true")) {
                server.stop();
                watch.expectEnd();
            }

            assertThatThrownBy(() -> api.get(LEASES)).isInstanceOf(UncheckedIOException.class);

            server.resume();
            assertThat(api.get(LEASES).code()).isEqualTo(200);
        }
    }

    @Nested
    class Watches {

        @Test
        void watchesExpireWithAnError() {
            try (WatchReader watch = api.watch(LEASES + "?watch=true")) {
                server.expireWatches();

                JsonObject event = watch.next();
                assertThat(event.get("type").getAsString()).isEqualTo("ERROR");
                assertThat(event.getAsJsonObject("object").get("reason").getAsString())
                        .isEqualTo("Expired");
                watch.expectEnd();
            }
        }

        @Test
        void watchesEndWhenTheyAreDroppedAndMayGoOn() {
            String before = api.get(LEASES).resourceVersion();
            try (WatchReader watch = api.watch(LEASES + "?watch=true")) {
                server.dropWatches();
                watch.expectEnd();
            }
            api.post(LEASES, lease("orders"));

            try (WatchReader watch = api.watch(LEASES + "?watch=true&resourceVersion=" + before)) {
                assertThat(watch.next().get("type").getAsString()).isEqualTo("ADDED");
            }
        }
    }

    @Nested
    class Rights {

        @Test
        void rightsAreDeniedAsRbacWould() {
            server.deny("update", "leases.coordination.k8s.io", "shop");
            JsonObject created = api.post(LEASES, lease("orders")).json();

            Reply refused = api.put(LEASES + "/orders", created);

            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.reason()).isEqualTo("Forbidden");
            assertThat(refused.message())
                    .isEqualTo(
                            "leases.coordination.k8s.io \"orders\" is forbidden: User \"kubernetes-admin\" cannot update"
                                    + " resource \"leases\" in API group \"coordination.k8s.io\" in the namespace \"shop\"");
            server.allowAll();
            assertThat(api.put(LEASES + "/orders", created).code()).isEqualTo(200);
        }

        @Test
        void rightsAreGivenByAnAccessReview() {
            server.deny("list", "*", "*");

            assertThat(isAllowed("get")).isTrue();
            assertThat(isAllowed("list")).isFalse();
        }
    }

    @Nested
    class TheNativeApi {

        @Test
        void theNativeApiIsServedOnlyWhileItIsSwitchedOn() {
            assertThat(api.get(NATIVE_CANDIDATES).code()).isEqualTo(404);

            server.serveNative(true);
            assertThat(api.get(NATIVE_CANDIDATES).code()).isEqualTo(200);
            assertThat(groupVersions()).contains("coordination.k8s.io/v1beta1");
            try (WatchReader watch = api.watch(NATIVE_CANDIDATES + "?watch=true")) {
                server.serveNative(false);
                watch.expectEnd();
            }

            assertThat(api.get(NATIVE_CANDIDATES).code()).isEqualTo(404);
            assertThat(groupVersions()).doesNotContain("coordination.k8s.io/v1beta1");
        }

        @Test
        void theNativeApiShowsTheSameCandidatesInEveryVersionThatIsServed() {
            String older = NATIVE_CANDIDATES.replace("v1beta1", "v1alpha2");
            server.serveNativeVersions("v1beta1", "v1alpha2");
            JsonObject candidate = JsonParser.parseString("""
                    {"apiVersion": "coordination.k8s.io/v1alpha2", "kind": "LeaseCandidate", "metadata": {"name": "a"},
                     "spec": {"leaseName": "orders", "binaryVersion": "1.0.0", "strategy": "example.com/Mine"}}
                    """).getAsJsonObject();
            assertThat(api.post(older, candidate).code()).isEqualTo(201);

            assertThat(api.get(NATIVE_CANDIDATES + "/a")
                            .json()
                            .get("apiVersion")
                            .getAsString())
                    .isEqualTo("coordination.k8s.io/v1beta1");
            try (WatchReader kept = api.watch(older + "?watch=true");
                    WatchReader dropped = api.watch(NATIVE_CANDIDATES + "?watch=true")) {
                assertThat(dropped.next().toString()).contains("coordination.k8s.io/v1beta1");
                server.serveNativeVersions("v1alpha2");
                dropped.expectEnd();
                assertThat(api.get(NATIVE_CANDIDATES).code()).isEqualTo(404);
                assertThat(kept.next().toString()).contains("coordination.k8s.io/v1alpha2");
            }
        }

        @Test
        void theNativeApiDropsItsFieldsOfLeasesWhereOnlyTheGateIsOff() {
            server.serveNative(NativeApi.SERVED_WITHOUT_THE_GATE);
            JsonObject lease = lease("orders");
            lease.getAsJsonObject("spec").addProperty("strategy", "OldestEmulationVersion");

            assertThat(api.get(NATIVE_CANDIDATES).code()).isEqualTo(200);
            assertThat(api.post(LEASES + "?dryRun=All", lease).spec().has("strategy"))
                    .isFalse();
            server.serveNative(NativeApi.SERVED);
            assertThat(api.post(LEASES + "?dryRun=All", lease).spec().has("strategy"))
                    .isTrue();
        }
    }
}
