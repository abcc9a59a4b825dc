package io.cle.election.internal.api;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.KubernetesEvents;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;

/**
 * Sends all requests of a coordinator and opens its watches, in one wire format. Results and events arrive on the client's event loop. Thread-safe;
 * no method blocks.
 */
public final class CoordinatorClient {

    /** The maximum number of characters of an object: fifty times the size of our candidates and Leases. A larger one is treated as malformed. */
    private static final long LARGEST_OBJECT = 64 * 1024;

    /** Stands for all namespaces where a namespace is expected. */
    public static final String ALL_NAMESPACES = "";

    private final ObjectClient client;
    private final LeaseClient leases;
    private final CandidateClient candidates;
    private final ResourceType kind;
    private final Set<String> namespaces;
    private final String component;

    /**
     * Creates a client.
     *
     * @param kind the kind of candidates, which also determines the wire format of leases
     * @param namespaces the namespaces in scope; empty for all
     * @param component the coordinator's name in Events
     */
    public CoordinatorClient(ObjectClient client, ResourceType kind, Set<String> namespaces, String component) {
        this.client = client;
        this.leases = LeaseClient.of(client, kind.format(), null);
        this.candidates = new CandidateClient(client, kind);
        this.kind = kind;
        this.namespaces = new TreeSet<>(namespaces.isEmpty() ? Set.of(ALL_NAMESPACES) : namespaces);
        this.component = component;
    }

    /** Returns the wire format. */
    public ApiFormat format() {
        return kind.format();
    }

    /** Returns the client for leases. */
    public LeaseClient leases() {
        return leases;
    }

    /** Returns the client for candidates. */
    public CandidateClient candidates() {
        return candidates;
    }

    /** Returns the namespaces in scope, each of which is watched separately; only {@link #ALL_NAMESPACES} for all. */
    public Set<String> namespaces() {
        return namespaces;
    }

    /** Watches the managed leases of a namespace. */
    public Subscription watchLeases(String namespace, Watcher<Lease> watcher) {
        return watch(kindOfLeases(format()), namespace, watcher);
    }

    /** Watches the candidates of a namespace. */
    public Subscription watchCandidates(String namespace, Watcher<Candidate> watcher) {
        return watch(WatchedKind.all(CandidateJson.of(kind), Map.of()), namespace, watcher);
    }

    /** Watches the lease configurations of a namespace. */
    public Subscription watchConfigurations(String namespace, Watcher<LeaseConfiguration> watcher) {
        return watch(WatchedKind.all(new LeaseConfigurationCodec(), Map.of()).asOptional(), namespace, watcher);
    }

    /**
     * Returns the leases that a coordinator handles. In the native format, these include every lease with a strategy, because kube-apiserver creates
     * the leases of our candidates without a label. The leases of nodes are excluded, because each is renewed every few seconds.
     */
    static WatchedKind<Lease> kindOfLeases(ApiFormat format) {
        return format == ApiFormat.NATIVE
                ? WatchedKind.all(
                        new CoordinatedOnly(), Map.of(WatchedKind.FIELDS, "metadata.namespace!=kube-node-lease"))
                : WatchedKind.labelled(LeaseJson.CRD, WireNames.MANAGED, "true");
    }

    private <T> Subscription watch(WatchedKind<T> all, String namespace, Watcher<T> watcher) {
        WatchedKind<T> bounded = all.upTo(LARGEST_OBJECT);
        return client.watch(namespace.isEmpty() ? bounded : bounded.in(namespace), watcher);
    }

    /** Writes the status of a configuration. */
    public CompletionStage<ApiResult<ObjectKey>> report(LeaseConfiguration configuration) {
        ObjectKey key = configuration.key();
        ApiRequest request = client.request(
                Verb.PATCH,
                ResourceType.LEASE_CONFIGURATIONS,
                key,
                key.name() + "/status",
                LeaseConfigurationCodec.encode(configuration.status()));
        return client.send(request, response -> Answers.resultOf(request, response, object -> new ApiResult.Ok<>(key)));
    }

    /** Reads the state of a pod (safety.md#terminated-holder). */
    public CompletionStage<ApiResult<PodState>> pod(PodRef pod) {
        ObjectKey key = pod.key();
        ApiRequest request = client.request(Verb.GET, ResourceType.PODS, key, key.name(), null);
        return client.send(request, response -> {
            if (Answers.missesObject(request, response)) {
                return new ApiResult.Ok<>(new PodState.Missing());
            }
            return Answers.resultOf(request, response, object -> stateOf(pod, object));
        });
    }

    /**
     * Records a Kubernetes Event on a lease (protocol.md#events). Events are sent one at a time.
     *
     * @param lease the lease that the Event is about
     * @param warning whether the Event is of type {@code Warning} rather than {@code Normal}
     * @param reason a CamelCase word
     * @param message a description for people
     */
    public CompletionStage<ApiResult<String>> event(Lease lease, boolean warning, String reason, String message) {
        String suffix = Long.toHexString(client.random().nextLong());
        JsonObject event = KubernetesEvents.of(
                ResourceType.LEASES,
                lease,
                warning,
                reason,
                message,
                component,
                client.loop().clock().wall(),
                suffix);
        ApiRequest request = client.request(Verb.CREATE, ResourceType.EVENTS, lease.key(), null, event);
        String name = event.getAsJsonObject("metadata").get("name").getAsString();
        return client.outbox()
                .post(() -> client.send(
                        request, response -> Answers.resultOf(request, response, created -> new ApiResult.Ok<>(name))));
    }

    private static ApiResult<PodState> stateOf(PodRef pod, JsonObject object) {
        try {
            return new ApiResult.Ok<>(PodStates.of(object, pod));
        } catch (MalformedObjectException e) {
            return new ApiResult.Refused<>(
                    ApiResult.Refused.NONE, "pod " + pod.key() + " is malformed: " + e.problem(), null);
        }
    }

    /** Decodes only the native leases that a coordinator handles. */
    private record CoordinatedOnly() implements JsonCodec<Lease> {

        @Override
        public ResourceType resource() {
            return LeaseJson.NATIVE.resource();
        }

        @Override
        public Optional<Lease> decode(Fields object) throws MalformedObjectException {
            boolean managed = "true".equals(object.metadata().child("labels").string(WireNames.MANAGED));
            return managed || object.spec().string("strategy") != null
                    ? LeaseJson.NATIVE.decode(object)
                    : Optional.empty();
        }
    }
}
