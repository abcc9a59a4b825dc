package io.cle.test.apiserver.real;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.WatchReader;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A separate real API server, whose processes the test stops and starts. */
@EnabledIfRealApiServer
@EnabledIfSystemProperty(
        named = "cle.thorough",
        matches = "true",
        disabledReason = "many tests stop, start and restore such servers; -Pthorough runs it")
class RealApiServerTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    private static final String CANDIDATES = "/apis/coordination.cle.io/v1alpha1/namespaces/default/leasecandidates";

    @Test
    void keepsItsDataOverRestartsAndRemovesThemAtTheEnd() throws ApiException {
        Path home;
        try (RealApiServer server = RealApiServer.start()) {
            home = server.kubeconfig().getParent();
            assertThat(server.api().post(LEASES, lease("a")).code()).isEqualTo(201);

            server.stopApiServer();
            assertThatThrownBy(() -> server.api().get(LEASES)).isInstanceOf(UncheckedIOException.class);
            server.stopEtcd();
            server.startEtcd();
            server.startApiServer();

            CoordinationV1Api leases = new CoordinationV1Api(server.newApiClient());
            assertThat(leases.readNamespacedLease("a", "default")
                            .execute()
                            .getSpec()
                            .getHolderIdentity())
                    .isEqualTo("me");
            assertThat(server.api().get(CANDIDATES).code()).isEqualTo(200);
            refusesWatchesAndPagesFromBeforeACompaction(server);
        }
        assertThat(Files.exists(home)).isFalse();
    }

    /** A kube-apiserver that has just started has no history in its cache, so it reads etcd's. */
    private static void refusesWatchesAndPagesFromBeforeACompaction(RealApiServer server) {
        HttpApi api = server.api();
        String before = api.get(LEASES).resourceVersion();
        api.post(LEASES, lease("b"));
        String token = api.get(LEASES + "?limit=1")
                .json()
                .getAsJsonObject("metadata")
                .get("continue")
                .getAsString();
        api.post(LEASES, lease("c"));
        server.stopApiServer();
        server.compact();
        server.startApiServer();

        HttpApi.Reply page = server.api().get(LEASES + "?limit=1&continue=" + token);
        assertThat(page.code()).isEqualTo(410);
        assertThat(page.reason()).isEqualTo("Expired");
        try (WatchReader watch = server.api().watch(LEASES + "?watch=true&resourceVersion=" + before)) {
            JsonObject event = watch.next();
            assertThat(event.get("type").getAsString()).isEqualTo("ERROR");
            assertThat(event.getAsJsonObject("object").get("code").getAsInt()).isEqualTo(410);
        }
    }

    private static JsonObject lease(String name) {
        return JsonParser.parseString(
                        "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {\"holderIdentity\": \"me\"}}".formatted(name))
                .getAsJsonObject();
    }
}
