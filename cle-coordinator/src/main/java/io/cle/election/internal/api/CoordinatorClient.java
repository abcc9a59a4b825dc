package io.cle.election.internal.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.codec.KubernetesEvents;
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
 * All requests and watches of a coordinator, in one wire format. Results and events arrive on the client's event loop. Thread-safe; no
 * method blocks.
 */
public final class CoordinatorClient {

    /** The maximum number of characters of an object: fifty times the size of our candidates and Leases. */
    public static final long LARGEST_OBJECT = 64 * 1024;

    private final ObjectClient client;
    private final LeaseClient leases;
    private final CandidateClient candidates;
    private final ResourceType kind;
    private final Set<String> namespaces;
    private final long largestObject;
    private final String component;

    /**
     * Creates a client.
     *
     * @param kind the kind of candidates, which also determines the wire format of leases
     * @param namespaces the namespaces in scope; empty for all
     * @param largestObject the maximum number of characters of an object; a larger object is treated as malformed
     * @param component the coordinator's name in Events
     */
    public CoordinatorClient(
            ObjectClient client, ResourceType kind, Set<String> namespaces, long largestObject, String component) {
        this.client = client;
        this.leases = LeaseClient.of(client, kind.format(), null);
        this.candidates = new CandidateClient(client, kind);
        this.kind = kind;
        this.namespaces = new TreeSet<>(namespaces);
        this.largestObject = largestObject;
        this.component = component;
    }

    /**
     * Creates a client with the default bound of an object's size.
     *
     * @param format the wire format; candidates of the native one are of {@code v1beta1}
     * @param namespaces the namespaces in scope; empty for all
     * @param component the coordinator's name in Events
     */
    public CoordinatorClient(ObjectClient client, ApiFormat format, Set<String> namespaces, String component) {
        this(client, ResourceType.candidates(format), namespaces, LARGEST_OBJECT, component);
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

    /** Watches the managed leases of all namespaces in scope. */
    public Subscription watchLeases(Watcher<Lease> watcher) {
        return watchAll(CoordinatedKinds.leases(format()), Lease::key, watcher);
    }

    /** Watches the candidates of all namespaces in scope. */
    public Subscription watchCandidates(Watcher<Candidate> watcher) {
        return watchAll(CoordinatedKinds.candidates(kind), Candidate::key, watcher);
    }

    /** Watches the lease configurations of all namespaces in scope. */
    public Subscription watchConfigurations(Watcher<LeaseConfiguration> watcher) {
        return watchAll(CoordinatedKinds.configurations(), LeaseConfiguration::key, watcher);
    }

    /** Writes the status of a configuration. */
    public CompletionStage<ApiResult<ObjectKey>> report(LeaseConfiguration configuration, ConfigurationStatus status) {
        ObjectKey key = configuration.key();
        ApiRequest request = client.request(
                Verb.PATCH,
                ResourceType.LEASE_CONFIGURATIONS,
                key,
                key.name() + "/status",
                LeaseConfigurationCodec.encode(status));
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

    private <T> Subscription watchAll(WatchedKind<T> all, Function<T, ObjectKey> keyOf, Watcher<T> watcher) {
        WatchedKind<T> kind = all.upTo(largestObject);
        if (namespaces.isEmpty()) {
            return client.watch(kind, watcher);
        }
        NamespacesWatch<T> merged = new NamespacesWatch<>(namespaces, keyOf, watcher);
        List<Subscription> subscriptions = new ArrayList<>();
        for (String namespace : namespaces) {
            subscriptions.add(client.watch(kind.in(namespace), event -> merged.onEvent(namespace, event)));
        }
        return () -> subscriptions.forEach(Subscription::close);
    }
}
