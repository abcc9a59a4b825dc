package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.election.internal.api.ConfigurationStatus;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.election.internal.api.LeaseConfigurationCodec;
import io.cle.election.internal.api.PodState;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import io.cle.strategy.internal.Strategies;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.InMemoryApiServer;
import io.cle.test.apiserver.memory.ServerResponse;
import io.cle.test.apiserver.memory.WatchListener;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.simulation.internal.server.SimulatedServer;
import org.jspecify.annotations.Nullable;

/**
 * The embedded API server behind a coordinator's transport, on virtual time. It answers at once, unless the test holds an answer back, or has
 * requests refused, unanswered or changed on their way.
 */
final class ApiInMemory implements KubernetesTransport {

    /** What a coordinator watches. */
    enum Kind {
        LEASES("leases"),
        CANDIDATES("leasecandidates"),
        CONFIGURATIONS("leaseconfigurations");

        private final String plural;

        Kind(String plural) {
            this.plural = plural;
        }
    }

    private static final LeaseJson LEASE_CODEC = LeaseJson.CRD;
    private static final CandidateJson CANDIDATE_CODEC = CandidateJson.of(ResourceType.CRD_CANDIDATES);

    /** How long Events may take, which are sent one by one and after everything else. */
    private static final Duration EVENTS = Duration.ofSeconds(30);

    final CoordinatorClient client;
    final List<PodRef> podsRead = new ArrayList<>();
    final List<String> pings = new ArrayList<>();
    final Map<ObjectKey, ConfigurationStatus> reports = new LinkedHashMap<>();

    /** The candidates whose removal was asked for. */
    final List<ObjectKey> deletions = new ArrayList<>();

    /** Removals that wait for the test to carry them out and answer them, if they have to wait. */
    final Deque<Runnable> waitingDeletions = new ArrayDeque<>();

    /** The namespaces whose objects the coordinator may not list. */
    final Set<String> forbidden = new HashSet<>();

    boolean deletionsWait;
    CompletionStage<Void> beforeCreate = CompletableFuture.completedFuture(null);
    CompletionStage<Void> beforePod = CompletableFuture.completedFuture(null);
    String pingRefused = "";
    int pingRefusedBy = 403;
    boolean namespaceMissing;

    /** Whether an admission policy drops the pings. */
    boolean pingsDropped;

    /** Whether an admission policy drops the annotations of every lease that is written. */
    boolean annotationsDropped;

    /** Whether an admission policy drops the labels of every write of a lease. */
    boolean labelsDropped;

    /** Whether no write or read of a lease is answered, nor carried out. */
    boolean leasesUnanswered;

    /** The message with which such requests are refused (403); empty if accepted. */
    String leasesRefused = "";

    String eventsRefused = "";
    String deletionsRefused = "";
    String reportsRefused = "";

    /** How long the answers to lists of leases take; the lists are made at once. */
    Duration leaseListsLate = Duration.ZERO;

    /** How late watches of leases deliver events. */
    Duration leaseEventsLate = Duration.ZERO;

    /** One in so many writes of leases fails without being carried out; 0 if none does. */
    int failOneWriteIn;

    int leaseWrites;
    int creations;

    /** How the kubelet has reported the container of every pod. */
    PodState pod = new PodState.Unclear("not reported");

    private final VirtualLoop loop;
    private final InMemoryApiServer server;
    private final Set<Watch> open = new HashSet<>();
    private final Set<Kind> held = EnumSet.noneOf(Kind.class);
    private final Map<Kind, CompletableFuture<@Nullable Void>> released = new LinkedHashMap<>();
    private final List<JsonObject> events = new ArrayList<>();
    private int uids;

    ApiInMemory(VirtualLoop loop) {
        this(loop, true);
    }

    /**
     * A server.
     *
     * @param configurations whether LeaseConfigurations are served
     */
    ApiInMemory(VirtualLoop loop, boolean configurations) {
        this.loop = loop;
        server = new InMemoryApiServer(loop.clock()::wall, () -> "uid-" + ++uids, true);
        CustomResourceDefinitions.all().stream()
                .filter(definition -> configurations || !nameOf(definition).startsWith(Kind.CONFIGURATIONS.plural))
                .forEach(server::define);
        client = clientOf(Set.of());
    }

    /** Returns a client that watches some namespaces. */
    CoordinatorClient clientOf(Set<String> namespaces) {
        return new CoordinatorClient(
                new ObjectClient(this, loop, new Random(2), Duration.ofSeconds(5)),
                ResourceType.CRD_CANDIDATES,
                namespaces,
                "coordinated-election-controller");
    }

    /** Returns a coordinator with the defaults, which isn't given an API server yet. */
    static Coordinator newCoordinator(VirtualLoop loop) {
        return new Coordinator(
                new CoordinatorConfig(
                        Strategies.builtIn(), Map.of(), ElectionPolicy.DEFAULT, NamespaceRule.OWN_NAMESPACE_ONLY),
                loop,
                new Random(1),
                Workers.DIRECT,
                reason -> {},
                () -> {});
    }

    // ---- what other processes do
    // -------------------------------------------------------------------------------------

    /** Stores a candidate, as its process does; with a ping, if it has one. */
    Candidate put(Candidate candidate) {
        Candidate stored = stored(CANDIDATE_CODEC, candidate.key(), CANDIDATE_CODEC.renewal(candidate));
        Instant ping = candidate.pingTime();
        return ping == null ? stored : stored(CANDIDATE_CODEC, candidate.key(), CANDIDATE_CODEC.ping(ping));
    }

    /** Stores a lease, as its holder does. */
    Lease put(Lease lease) {
        return stored(LEASE_CODEC, lease.key(), LEASE_CODEC.patch(lease));
    }

    private <T> T stored(JsonCodec<T> codec, ObjectKey key, JsonObject patch) {
        String collection = collection(codec.resource(), key.namespace());
        ServerResponse answer = server.handle(ApiServerRequest.mergePatch(collection + '/' + key.name(), patch));
        if (answer.code() == 404) {
            answer = server.handle(ApiServerRequest.post(collection, codec.created(key, patch)));
        }
        if (answer.code() >= 300) {
            throw new AssertionError(key + ": " + answer);
        }
        return decoded(codec, ((ServerResponse.Answer) answer).object());
    }

    /** Removes a label of a lease, as an administrator does. */
    void removeLabel(ObjectKey lease, String label) {
        JsonObject labels = new JsonObject();
        labels.add(label, JsonNull.INSTANCE);
        editMetadata(lease, "labels", labels);
    }

    /** Annotates a lease, as an administrator does. */
    void annotate(ObjectKey lease, String name, String value) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(name, value);
        editMetadata(lease, "annotations", annotations);
    }

    /** Removes the label and the annotation by which a Lease is a shard, in one edit, as an administrator does. */
    void strip(ObjectKey lease) {
        JsonObject metadata = new JsonObject();
        metadata.add("labels", nothing("coordination.cle.io/group"));
        metadata.add("annotations", nothing("coordination.k8s.io/elected-by"));
        edit(lease, metadata);
    }

    private static JsonObject nothing(String name) {
        JsonObject removed = new JsonObject();
        removed.add(name, JsonNull.INSTANCE);
        return removed;
    }

    private void editMetadata(ObjectKey lease, String part, JsonObject changes) {
        JsonObject metadata = new JsonObject();
        metadata.add(part, changes);
        edit(lease, metadata);
    }

    private void edit(ObjectKey lease, JsonObject metadata) {
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        String path = collection(LEASE_CODEC.resource(), lease.namespace()) + '/' + lease.name();
        assertAnswered(server.handle(ApiServerRequest.mergePatch(path, patch)));
    }

    /** Deletes a lease, as an administrator does. */
    void delete(ObjectKey lease) {
        String path = collection(LEASE_CODEC.resource(), lease.namespace()) + '/' + lease.name();
        assertAnswered(server.handle(ApiServerRequest.delete(path)));
    }

    /** Deletes a candidate, as its process does. */
    void withdraw(ObjectKey candidate) {
        String path = collection(CANDIDATE_CODEC.resource(), candidate.namespace()) + '/' + candidate.name();
        assertAnswered(server.handle(ApiServerRequest.delete(path)));
    }

    // ---- what is there
    // -----------------------------------------------------------------------------------------------

    Map<ObjectKey, Lease> leases() {
        Map<ObjectKey, Lease> leases = new LinkedHashMap<>();
        all(LEASE_CODEC).forEach(lease -> leases.put(lease.key(), lease));
        return leases;
    }

    Map<ObjectKey, Candidate> candidates() {
        Map<ObjectKey, Candidate> candidates = new LinkedHashMap<>();
        all(CANDIDATE_CODEC).forEach(candidate -> candidates.put(candidate.key(), candidate));
        return candidates;
    }

    private <T> List<T> all(JsonCodec<T> codec) {
        ServerResponse list = server.handle(ApiServerRequest.get(collection(codec.resource(), null)));
        List<T> objects = new ArrayList<>();
        for (JsonElement item : ((ServerResponse.Answer) list).object().getAsJsonArray("items")) {
            objects.add(decoded(codec, item.getAsJsonObject()));
        }
        return objects;
    }

    /** The Events so far, {@code <reason>: <message>}; waits for those that have not been sent yet. */
    List<String> events() {
        loop.advance(EVENTS);
        return events.stream()
                .map(event -> event.get("reason").getAsString() + ": "
                        + event.get("message").getAsString())
                .toList();
    }

    /** The leases that the Events are about. */
    List<ObjectKey> eventsAbout() {
        loop.advance(EVENTS);
        return events.stream()
                .map(event -> event.getAsJsonObject("involvedObject"))
                .map(lease -> new ObjectKey(
                        lease.get("namespace").getAsString(), lease.get("name").getAsString()))
                .toList();
    }

    /** How many watches are open. */
    int openWatches() {
        return open.size();
    }

    // ---- lists and watches
    // --------------------------------------------------------------------------------------------

    /** Lists of these kinds are answered only once they are released. */
    void hold(Kind... kinds) {
        for (Kind kind : kinds) {
            held.add(kind);
            released.put(kind, new CompletableFuture<>());
        }
    }

    /** Answers the lists of a kind. */
    void release(Kind kind) {
        held.remove(kind);
        released.get(kind).complete(null);
        loop.runReady();
    }

    /** The watches of a kind break. */
    void breakWatches(Kind kind, String message) {
        List.copyOf(open).stream()
                .filter(watch -> watch.request.resource().plural().equals(kind.plural))
                .forEach(watch -> {
                    watch.close();
                    watch.stream.onEnd(new WatchEnd.Broken(message));
                });
        loop.runReady();
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        Watch watch = new Watch(request, stream);
        ServerResponse response = server.handle(SimulatedServer.requestOf(request));
        if (response instanceof io.cle.test.apiserver.memory.WatchStream opened) {
            open.add(watch);
            watch.served = opened;
            opened.start(watch);
        } else {
            stream.onEnd(new WatchEnd.Refused(SimulatedServer.answerOf(response)));
        }
        return watch;
    }

    /** A watch that is open. */
    private final class Watch implements Subscription, WatchListener {
        private final ApiRequest request;
        private final WatchStream stream;
        private io.cle.test.apiserver.memory.@Nullable WatchStream served;

        private Watch(ApiRequest request, WatchStream stream) {
            this.request = request;
            this.stream = stream;
        }

        @Override
        public void onEvent(JsonObject event) {
            if (leaseEventsLate.isZero() || !request.resource().plural().equals(Kind.LEASES.plural)) {
                stream.onEvent(event);
                return;
            }
            loop.schedule(leaseEventsLate, () -> {
                if (open.contains(this)) {
                    stream.onEvent(event);
                }
            });
        }

        @Override
        public void onEnd() {
            close();
            stream.onEnd(new WatchEnd.Completed());
        }

        @Override
        public void close() {
            open.remove(this);
            if (served != null) {
                served.close();
            }
        }
    }

    // ---- requests
    // ------------------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        return switch (request.resource().plural()) {
            case "leases" -> request.verb().writes() ? leaseWritten(request) : listed(Kind.LEASES, request);
            case "leasecandidates" -> candidateRequest(request);
            case "leaseconfigurations" ->
                request.verb() == Verb.PATCH ? reported(request) : listed(Kind.CONFIGURATIONS, request);
            case "events" -> recorded(request);
            case "pods" -> podRead(request);
            default -> throw new AssertionError(request);
        };
    }

    private CompletionStage<ApiResponse> listed(Kind kind, ApiRequest request) {
        if (request.verb() == Verb.GET && leasesUnanswered) {
            return done(new ApiResponse.Unanswered("timed out"));
        }
        if (request.verb() == Verb.LIST && forbidden.contains(request.namespace())) {
            return done(refused(403, "cannot list resource"));
        }
        if (request.verb() == Verb.LIST && kind == Kind.LEASES && !leaseListsLate.isZero()) {
            ApiResponse list = served(request);
            CompletableFuture<ApiResponse> late = new CompletableFuture<>();
            loop.schedule(leaseListsLate, () -> late.complete(list));
            return late;
        }
        return request.verb() == Verb.LIST && held.contains(kind)
                ? released.get(kind).thenApply(unused -> served(request))
                : done(served(request));
    }

    private CompletionStage<ApiResponse> leaseWritten(ApiRequest request) {
        leaseWrites++;
        boolean creates = request.verb() == Verb.CREATE;
        creations += creates ? 1 : 0;
        if (failOneWriteIn > 0 && leaseWrites % failOneWriteIn == 0) {
            return done(new ApiResponse.Unanswered("connection reset"));
        }
        if (leasesUnanswered) {
            return done(new ApiResponse.Unanswered("timed out"));
        }
        if (!leasesRefused.isEmpty()) {
            return done(refused(403, leasesRefused));
        }
        if (creates && namespaceMissing) {
            return done(failed(ApiFailure.notFound("", "namespaces", request.namespace())));
        }
        ApiRequest labelled = labelsDropped ? without("labels", request) : request;
        ApiRequest admitted = annotationsDropped ? without("annotations", labelled) : labelled;
        return creates ? beforeCreate.thenApply(unused -> served(admitted)) : done(served(admitted));
    }

    private CompletionStage<ApiResponse> candidateRequest(ApiRequest request) {
        return switch (request.verb()) {
            case GET -> done(served(request));
            case PATCH -> done(pinged(request));
            case DELETE -> removed(request);
            default -> listed(Kind.CANDIDATES, request);
        };
    }

    private ApiResponse pinged(ApiRequest request) {
        pings.add(request.name());
        if (changesWhatACandidateCanLead(request)) {
            return refused(422, "spec.canLeadLease: Invalid value: is immutable");
        }
        if (pingRefused.equals(request.name())) {
            return refused(pingRefusedBy, "no");
        }
        return served(pingsDropped ? without("annotations", request) : request);
    }

    /** The rule of the CRD, which the embedded API server doesn't evaluate because it is in CEL. */
    private boolean changesWhatACandidateCanLead(ApiRequest request) {
        JsonObject spec = request.body().getAsJsonObject("spec");
        if (spec == null || !spec.has("canLeadLease")) {
            return false;
        }
        Candidate stored = candidates().get(new ObjectKey(request.namespace(), request.name()));
        return stored != null
                && !spec.get("canLeadLease").getAsString().equals(stored.lease().toString());
    }

    private static ApiRequest without(String part, ApiRequest request) {
        JsonObject body = request.body().deepCopy();
        body.getAsJsonObject("metadata").remove(part);
        return new ApiRequest(
                request.verb(),
                request.resource(),
                request.namespace(),
                request.name(),
                request.query(),
                body,
                request.timeout());
    }

    private CompletionStage<ApiResponse> removed(ApiRequest request) {
        deletions.add(new ObjectKey(request.namespace(), request.name()));
        if (!deletionsRefused.isEmpty()) {
            return done(refused(403, deletionsRefused));
        }
        if (!deletionsWait) {
            return done(served(request));
        }
        CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
        waitingDeletions.add(() -> {
            answer.complete(served(request));
            loop.runReady();
        });
        return answer;
    }

    /** The configurations of these tests are not stored. */
    private CompletionStage<ApiResponse> reported(ApiRequest request) {
        if (!reportsRefused.isEmpty()) {
            return done(refused(403, reportsRefused));
        }
        JsonObject spec = new JsonObject();
        spec.addProperty("targetLease", "any");
        spec.addProperty("strategy", "any");
        JsonObject metadata = new JsonObject();
        String name = request.name().substring(0, request.name().indexOf('/'));
        metadata.addProperty("namespace", request.namespace());
        metadata.addProperty("name", name);
        JsonObject configuration = request.body().deepCopy();
        configuration.add("metadata", metadata);
        configuration.add("spec", spec);
        reports.put(
                new ObjectKey(request.namespace(), name),
                decoded(new LeaseConfigurationCodec(), configuration).status());
        return done(new ApiResponse.Answered(200, configuration, null));
    }

    private CompletionStage<ApiResponse> recorded(ApiRequest request) {
        events.add(request.body());
        return done(eventsRefused.isEmpty() ? served(request) : refused(403, eventsRefused));
    }

    private CompletionStage<ApiResponse> podRead(ApiRequest request) {
        ObjectKey key = new ObjectKey(request.namespace(), request.name());
        PodRef ref = candidates().values().stream()
                .map(Candidate::pod)
                .filter(named -> named != null && named.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no candidate names the pod " + key));
        podsRead.add(ref);
        ApiResponse read = pod instanceof PodState.Missing
                ? failed(ApiFailure.notFound("", "pods", key.name()))
                : new ApiResponse.Answered(200, podOf(ref, pod), null);
        return beforePod.thenApply(unused -> read);
    }

    private static JsonObject podOf(PodRef ref, PodState state) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("namespace", ref.key().namespace());
        metadata.addProperty("name", ref.key().name());
        metadata.addProperty("uid", ref.uid());
        JsonObject container = new JsonObject();
        container.addProperty("name", "main");
        JsonObject spec = new JsonObject();
        spec.add("containers", array(container));
        JsonObject pod = new JsonObject();
        pod.add("metadata", metadata);
        pod.add("spec", spec);
        if (state instanceof PodState.Container reported) {
            JsonObject containerStatus = container.deepCopy();
            containerStatus.addProperty("restartCount", reported.restarts());
            containerStatus.addProperty("containerID", reported.runs());
            containerStatus.add("state", stateOf(reported));
            JsonObject last = new JsonObject();
            if (!reported.lastEnded().isEmpty()) {
                JsonObject terminated = new JsonObject();
                terminated.addProperty("containerID", reported.lastEnded());
                last.add("terminated", terminated);
            }
            containerStatus.add("lastState", last);
            JsonObject status = new JsonObject();
            status.add("containerStatuses", array(containerStatus));
            pod.add("status", status);
        }
        return pod;
    }

    private static JsonObject stateOf(PodState.Container container) {
        JsonObject details = new JsonObject();
        String name = switch (container.phase()) {
            case WAITING -> "waiting";
            case RUNNING -> "running";
            case TERMINATED -> {
                details.addProperty("containerID", container.lastEnded());
                yield "terminated";
            }
        };
        JsonObject state = new JsonObject();
        state.add(name, details);
        return state;
    }

    private static JsonArray array(JsonObject element) {
        JsonArray array = new JsonArray();
        array.add(element);
        return array;
    }

    private ApiResponse served(ApiRequest request) {
        return SimulatedServer.answerOf(server.handle(SimulatedServer.requestOf(request)));
    }

    private static ApiResponse refused(int code, String message) {
        JsonObject status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("code", code);
        status.addProperty("message", message);
        return new ApiResponse.Answered(code, status, null);
    }

    private static ApiResponse failed(ApiFailure failure) {
        return new ApiResponse.Answered(failure.code(), failure.toStatus(), null);
    }

    private static CompletionStage<ApiResponse> done(ApiResponse response) {
        return CompletableFuture.completedFuture(response);
    }

    private static String nameOf(JsonObject definition) {
        return definition.getAsJsonObject("metadata").get("name").getAsString();
    }

    private static void assertAnswered(ServerResponse response) {
        if (response.code() >= 300) {
            throw new AssertionError(response);
        }
    }

    private static String collection(ResourceType resource, @Nullable String namespace) {
        return new ApiRequest(Verb.LIST, resource, namespace, null, Map.of(), null, Duration.ofSeconds(5)).path();
    }

    private static <T> T decoded(JsonCodec<T> codec, JsonObject object) {
        try {
            Supplier<AssertionError> empty = () -> new AssertionError("nothing of ours: " + object);
            Optional<T> decoded = codec.decode(Fields.of(object));
            return decoded.orElseThrow(empty);
        } catch (MalformedObjectException e) {
            throw new AssertionError(object.toString(), e);
        }
    }

    @Override
    public void close() {}
}
