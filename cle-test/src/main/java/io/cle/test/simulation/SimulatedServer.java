package io.cle.test.simulation;

import java.util.SplittableRandom;
import java.util.UUID;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.ApiRequest;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.ResourceType;
import io.cle.test.apiserver.InMemoryApiServer;
import io.cle.test.apiserver.NativeApi;
import io.cle.test.apiserver.WatchListener;
import io.cle.test.apiserver.WatchStream;
import org.jspecify.annotations.Nullable;

/** The one API server: takes requests as they come off the network, and can be away. */
final class SimulatedServer {

    /** Any fields: what a schema refuses is tested elsewhere, and looking into it takes time that is needed for seeds here. */
    private static final String DEFINITION = """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "%1$s.coordination.cle.io"},
             "spec": {"group": "coordination.cle.io", "scope": "Namespaced",
              "names": {"kind": "%2$s", "listKind": "%2$sList", "plural": "%1$s", "singular": "%3$s"},
              "versions": [{"name": "v1alpha1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
            """;

    private final InMemoryApiServer server;
    private final Auditor auditor;
    private boolean up = true;
    private @Nullable VirtualProcess writer;

    /** Who sees every change of a lease as it happens, and whose doing it is. */
    interface Auditor {
        /** A lease has been written or, where {@code object} is of a deletion, deleted; by an administrator when {@code by} is null. */
        void changed(String type, JsonObject object, @Nullable VirtualProcess by);
    }

    SimulatedServer(
            DriftingClock clock, SplittableRandom random, ResourceType leases, NativeApi nativeApi, Auditor auditor) {
        this.auditor = auditor;
        server = new InMemoryApiServer(
                clock::wall, () -> new UUID(random.nextLong(), random.nextLong()).toString(), true);
        server.serveNative(nativeApi);
        server.define(
                JsonParser.parseString(DEFINITION.formatted("leasecandidates", "LeaseCandidate", "leasecandidate"))
                        .getAsJsonObject());
        server.define(JsonParser.parseString(
                        DEFINITION.formatted("leaseconfigurations", "LeaseConfiguration", "leaseconfiguration"))
                .getAsJsonObject());
        audit(leases);
    }

    private void audit(ResourceType leases) {
        ApiRequest all = new ApiRequest(
                ApiRequest.Verb.WATCH,
                leases,
                null,
                null,
                java.util.Map.of("watch", "true"),
                null,
                java.time.Duration.ZERO);
        watch(all, new WatchListener() {
            @Override
            public void onEvent(JsonObject event) {
                auditor.changed(event.get("type").getAsString(), event.getAsJsonObject("object"), writer);
            }

            @Override
            public void onEnd() {
                throw new IllegalStateException("the auditor's watch has ended");
            }
        });
    }

    boolean up() {
        return up;
    }

    /** Goes away or comes back, with all that was stored. */
    void up(boolean isUp) {
        up = isUp;
    }

    /** Forgets the history. */
    void compact() {
        server.compact();
    }

    /**
     * Carries a request out.
     *
     * @param by who has sent it; null for an administrator
     */
    ApiResponse.Answered handle(ApiRequest request, @Nullable VirtualProcess by) {
        writer = by;
        try {
            io.cle.test.apiserver.ApiResponse response = server.handle(translated(request));
            return response instanceof io.cle.test.apiserver.ApiResponse.Answer answer
                    ? new ApiResponse.Answered(answer.code(), answer.object(), null)
                    : new ApiResponse.Answered(response.code(), new JsonObject(), null);
        } finally {
            writer = null;
        }
    }

    /** Starts a watch; what it tells of is told from inside the writes. Null, and the answer in its stead, where it's refused. */
    WatchStream watch(ApiRequest request, WatchListener listener) {
        if (!(server.handle(translated(request)) instanceof WatchStream stream)) {
            throw new IllegalStateException("a watch was refused: " + request.describe());
        }
        stream.start(listener);
        return stream;
    }

    /** All objects of a kind, as they are now. */
    JsonArray all(ResourceType type) {
        ApiRequest list = new ApiRequest(
                ApiRequest.Verb.LIST, type, null, null, java.util.Map.of(), null, java.time.Duration.ZERO);
        JsonObject answer = handle(list, null).body();
        return answer.has("items") ? answer.getAsJsonArray("items") : new JsonArray();
    }

    private static io.cle.test.apiserver.ApiRequest translated(ApiRequest request) {
        return new io.cle.test.apiserver.ApiRequest(
                request.verb().httpMethod(),
                request.path(),
                request.query(),
                request.body() == null ? null : request.contentType(),
                null,
                request.body());
    }
}
