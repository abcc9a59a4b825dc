package io.cle.test.simulation.internal.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.elections.KubeApiserverElections;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.InMemoryApiServer;
import io.cle.test.apiserver.memory.ListPage;
import io.cle.test.apiserver.memory.NativeApi;
import io.cle.test.apiserver.memory.ServerResponse;
import io.cle.test.apiserver.memory.WatchListener;
import io.cle.test.apiserver.memory.WatchStream;
import io.cle.test.apiserver.store.ObjectStore;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/** The only API server: handles requests as they arrive, and can go down. */
public final class SimulatedServer {

    /** Accepts any fields: schema validation is tested elsewhere, and would slow the seeds down here. */
    private static final String DEFINITION = """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "%1$s.coordination.cle.io"},
             "spec": {"group": "coordination.cle.io", "scope": "Namespaced",
              "names": {"kind": "%2$s", "listKind": "%2$sList", "plural": "%1$s", "singular": "%3$s"},
              "versions": [{"name": "v1alpha1", "served": true, "storage": true, %4$s"schema": {"openAPIV3Schema":
                {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
            """;

    private static final List<JsonObject> DEFINITIONS = List.of(
            definition("leasecandidates", "LeaseCandidate", "leasecandidate", ""),
            definition(
                    "leaseconfigurations",
                    "LeaseConfiguration",
                    "leaseconfiguration",
                    "\"subresources\": {\"status\": {}}, "));

    private static final String CANDIDATES_DEFINITION =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/leasecandidates.coordination.cle.io";

    private static final long SOON = 5_000_000;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    /**
     * The first version. Soon after, versions gain a digit and are as long as those of storages that count in nanoseconds. They can be compared
     * neither as strings nor as {@code double}s.
     */
    public static final long VERSIONS_BEFORE = 999_999_999_999_999_900L;

    /** The gap between the versions of one history and those of the next. */
    private static final long VERSIONS_BETWEEN = 100_000;

    private final InMemoryApiServer server;
    private final VirtualTime time;
    private final VirtualProcess itself;
    private final @Nullable KubeApiserverElections elections;
    private VirtualTime.@Nullable Due election;
    private long electionAt;
    private final Auditor auditor;
    private final @Nullable WatchCaches caches;
    private boolean up = true;
    private long awaySince;
    private ObjectStore.@Nullable Backup backup;
    private long newestVersion;
    private boolean servesNative;
    private boolean servesCandidates = true;
    private @Nullable VirtualProcess writer;

    /** Observes every change of a lease as it happens, and who made it. */
    public interface Auditor {
        /** A lease has been written or, where {@code object} is of a deletion, deleted; by an administrator when {@code by} is null. */
        void changed(String type, JsonObject object, @Nullable VirtualProcess by);

        /**
         * etcd was restored from a backup.
         *
         * @param backedUpAt the version of the backup
         * @param leases all leases as they are now
         * @param awayFor how long the API server was away before, in nanoseconds
         */
        default void restored(long backedUpAt, List<JsonObject> leases, long awayFor) {}

        /** Something has brought the API server down. */
        void died(String what);
    }

    /** An API server that stores nothing yet. */
    public SimulatedServer(
            VirtualTime time, SplittableRandom random, ClusterKind kind, Auditor auditor, VirtualProcess itself) {
        this.auditor = auditor;
        this.time = time;
        this.caches = kind == ClusterKind.TWO_API_SERVERS ? new WatchCaches(time, random.split()) : null;
        this.itself = itself;
        DriftingClock clock = itself.clock();
        server = new InMemoryApiServer(
                clock::wall, () -> new UUID(random.nextLong(), random.nextLong()).toString(), true);
        server.skipResourceVersions(VERSIONS_BEFORE - server.resourceVersion());
        if (kind.nativeFormat()) {
            serveNative(true);
        }
        if (kind.coordinated()) {
            DEFINITIONS.forEach(server::define);
            serveCandidates(kind != ClusterKind.BARE);
        }
        elections = kind.nativeFormat() ? new KubeApiserverElections(server::handle, clock::wall) : null;
        listen(kind.resource(), event -> {
            auditor.changed(event.get("type").getAsString(), event.getAsJsonObject("object"), writer);
            electSoon(random.nextLong(SOON));
        });
        if (elections != null) {
            listen(kind.candidates(), event -> electSoon(random.nextLong(SOON)));
        }
    }

    private static JsonObject definition(String plural, String kind, String singular, String subresources) {
        return JsonParser.parseString(DEFINITION.formatted(plural, kind, singular, subresources))
                .getAsJsonObject();
    }

    /** Calls a listener at every change of a kind of objects. */
    public void listen(ResourceType type, Consumer<JsonObject> listener) {
        ApiRequest all = new ApiRequest(Verb.WATCH, type, null, null, Map.of("watch", "true"), null, Duration.ZERO);
        watch(all, new WatchListener() {
            @Override
            public void onEvent(JsonObject event) {
                listener.accept(event);
            }

            @Override
            public void onEnd() {
                throw new IllegalStateException("the auditor's watch has ended");
            }
        });
    }

    /** Lets kube-apiserver's own controller, if any, reconcile the lease: once, however often this is called before it does. */
    private void electSoon(long nanos) {
        if (elections == null) {
            return;
        }
        long at = time.now() + nanos;
        if (election == null || at < electionAt) {
            if (election != null) {
                election.cancel();
            }
            electionAt = at;
            election = time.after(nanos, this::elect);
        }
    }

    private void elect() {
        election = null;
        if (!up || elections == null) {
            return;
        }
        writer = itself;
        try {
            elections
                    .step(Scenario.LEASE.namespace(), Scenario.LEASE.name())
                    .ifPresent(again -> electSoon(again.toNanos()));
        } catch (IllegalStateException e) {
            auditor.died(String.valueOf(e.getMessage()));
        } finally {
            writer = null;
        }
    }

    /** Starts or stops serving the native API. */
    public void serveNative(boolean served) {
        server.serveNative(served ? NativeApi.SERVED : NativeApi.NOT_SERVED);
        servesNative = served;
    }

    /** Serves the candidates of the crd format, or removes them with their definition. */
    public void serveCandidates(boolean served) {
        if (served != servesCandidates) {
            servesCandidates = served;
            if (served) {
                server.define(DEFINITIONS.get(0));
            } else {
                server.handle(ApiServerRequest.delete(CANDIDATES_DEFINITION));
            }
        }
    }

    /** Whether it serves candidates of the crd format at the moment. */
    public boolean servesCandidates() {
        return servesCandidates;
    }

    /** The caches of several API servers; null if there is one server, whose cache doesn't lag. */
    @Nullable
    public WatchCaches caches() {
        return caches;
    }

    /** Whether it serves native candidates at the moment. */
    public boolean servesNative() {
        return servesNative;
    }

    boolean serves(ResourceType type) {
        return (servesNative || !type.equals(ResourceType.NATIVE_CANDIDATES))
                && (servesCandidates || !type.equals(ResourceType.CRD_CANDIDATES));
    }

    /** Whether it takes requests at the moment. */
    public boolean up() {
        return up;
    }

    /** Goes down, or comes back with all that was stored. */
    public void up(boolean isUp) {
        if (up && !isUp) {
            awaySince = time.now();
        }
        up = isUp;
        electSoon(SOON);
    }

    /**
     * Makes a backup. Later writes get versions that no other history reaches, as in a busy cluster: each version is of one write, so no
     * compare and swap succeeds by accident.
     */
    public void backUp() {
        backup = server.backUp();
        newestVersion = Math.max(newestVersion, server.resourceVersion()) + VERSIONS_BETWEEN;
        server.skipResourceVersions(newestVersion - server.resourceVersion());
    }

    /** Restores the last backup, unless it was restored before. */
    public void restore() {
        if (backup != null) {
            newestVersion = Math.max(newestVersion, server.resourceVersion());
            long backedUpAt = backup.revision();
            server.restore(backup);
            backup = null;
            auditor.restored(backedUpAt, list(ResourceType.LEASES, null), up ? 0 : time.now() - awaySince);
        }
    }

    /** Forgets the history. */
    public void compact() {
        server.compact();
    }

    /**
     * Carries a request out.
     *
     * @param by who has sent it; null for an administrator
     */
    public ApiResponse.Answered handle(ApiRequest request, @Nullable VirtualProcess by) {
        writer = by;
        try {
            ServerResponse response = server.handle(requestOf(fromCache(request)));
            if (caches != null) {
                caches.written(server.resourceVersion());
            }
            return answerOf(response);
        } finally {
            writer = null;
        }
    }

    /** Carries out a request of an account that has no process here, such as an administrator's or a kubelet's. */
    public ApiResponse.Answered handle(Verb verb, ResourceType type, ObjectKey key, @Nullable JsonObject body) {
        String name = verb == Verb.CREATE ? null : key.name();
        return handle(new ApiRequest(verb, type, key.namespace(), name, Map.of(), body, Duration.ZERO), null);
    }

    /** Replaces an object, for such an account. */
    public void replace(ResourceType type, ObjectKey key, JsonObject object) {
        ApiRequest same = new ApiRequest(Verb.GET, type, key.namespace(), key.name(), Map.of(), null, Duration.ZERO);
        server.handle(ApiServerRequest.put(same.path(), object));
    }

    /** Merges something into an object, for such an account, or creates the object with it. */
    public void apply(ResourceType type, ObjectKey key, JsonObject object) {
        if (!handle(Verb.PATCH, type, key, object).ok()) {
            handle(Verb.CREATE, type, key, object);
        }
    }

    /**
     * The objects of a kind.
     *
     * @param namespace null for those of all
     */
    public List<JsonObject> list(ResourceType type, @Nullable String namespace) {
        ApiRequest all = new ApiRequest(Verb.LIST, type, namespace, null, Map.of(), null, Duration.ZERO);
        return handle(all, null).body().getAsJsonArray("items").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    /** Serves a list with {@code resourceVersion=0} from some server's cache, by requesting a page of a list at the cache's version. */
    private ApiRequest fromCache(ApiRequest request) {
        if (caches == null
                || request.verb() != Verb.LIST
                || !"0".equals(request.query().get("resourceVersion"))) {
            return request;
        }
        long version = caches.newest(caches.someServer());
        Map<String, String> query = new HashMap<>(request.query());
        query.remove("resourceVersion");
        if (version > 0) {
            query.put("continue", ListPage.tokenOf(version, "", ""));
        }
        return new ApiRequest(
                request.verb(), request.resource(), request.namespace(), null, query, null, request.timeout());
    }

    /** Writes a pod's status, as its kubelet does, if the pod exists. */
    public void report(ObjectKey pod, JsonObject status) {
        JsonObject patch = new JsonObject();
        patch.add("status", status);
        String path = "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/status";
        int code = server.handle(ApiServerRequest.mergePatch(path, patch)).code();
        if (code != OK && code != NOT_FOUND) {
            throw new IllegalStateException("the status of pod " + pod + " was refused: " + code);
        }
    }

    /** Starts a watch, whose events are delivered from inside the writes. */
    public WatchStream watch(ApiRequest request, WatchListener listener) {
        if (!(server.handle(requestOf(request)) instanceof WatchStream stream)) {
            throw new IllegalStateException("a watch was refused: " + request.describe());
        }
        stream.start(listener);
        return stream;
    }

    /** Returns a transport's request as the API server in memory takes it. */
    public static ApiServerRequest requestOf(ApiRequest request) {
        return new ApiServerRequest(
                request.verb().httpMethod(),
                request.path(),
                request.query(),
                request.body() == null ? null : request.contentType(),
                null,
                request.body());
    }

    /** Returns the answer of the API server in memory as a transport gives it; text as the message of a Status. */
    public static ApiResponse.Answered answerOf(ServerResponse response) {
        return response instanceof ServerResponse.Answer answer
                ? new ApiResponse.Answered(answer.code(), answer.object(), null)
                : Network.status(
                        response.code(),
                        response instanceof ServerResponse.Text text
                                ? text.body().strip()
                                : "");
    }
}
