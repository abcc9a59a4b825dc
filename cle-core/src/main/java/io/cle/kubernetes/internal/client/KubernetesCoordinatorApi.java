package io.cle.kubernetes.internal.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.codec.KubernetesEvents;
import io.cle.kubernetes.internal.codec.LeaseConfigurationCodec;
import io.cle.kubernetes.internal.codec.PodStates;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.NamespacesWatch;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.PodState;
import io.cle.store.internal.CandidateStore;
import io.cle.store.internal.ConfigurationStatus;
import io.cle.store.internal.CoordinatorApi;
import io.cle.store.internal.LeaseConfiguration;
import io.cle.store.internal.LeaseStore;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;

/**
 * All that a coordinator needs, in either format.
 *
 * @param kind the kind of candidates
 * @param namespaces the namespaces in scope; empty for all
 * @param largestObject how many characters an object may have; a larger one is malformed
 * @param component how it calls itself in events
 */
record KubernetesCoordinatorApi(
        ObjectClient client,
        LeaseStore leases,
        CandidateStore candidates,
        EventOutbox events,
        ResourceType kind,
        Set<String> namespaces,
        long largestObject,
        String component)
        implements CoordinatorApi {

    KubernetesCoordinatorApi {
        namespaces = new TreeSet<>(namespaces);
    }

    @Override
    public ApiFormat format() {
        return kind.format();
    }

    @Override
    public Subscription watchLeases(Watcher<Lease> watcher) {
        return watchAll(WatchedKind.leases(format()), Lease::key, watcher);
    }

    @Override
    public Subscription watchCandidates(Watcher<Candidate> watcher) {
        return watchAll(WatchedKind.candidates(kind), Candidate::key, watcher);
    }

    @Override
    public Subscription watchConfigurations(Watcher<LeaseConfiguration> watcher) {
        return watchAll(WatchedKind.configurations(), LeaseConfiguration::key, watcher);
    }

    @Override
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

    @Override
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

    @Override
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
        return events.post(
                lease.key().namespace(),
                () -> client.send(
                        request, response -> Answers.resultOf(request, response, created -> new ApiResult.Ok<>(name))));
    }

    private static ApiResult<PodState> stateOf(PodRef pod, JsonObject object) {
        try {
            return new ApiResult.Ok<>(PodStates.of(object, pod));
        } catch (MalformedObjectException e) {
            return new ApiResult.Refused<>(
                    ApiResult.Refused.NONE, "pod " + pod.key() + " can't be understood: " + e.problem(), null);
        }
    }

    private <T> Subscription watchAll(WatchedKind<T> all, Function<T, ObjectKey> keyOf, Watcher<T> watcher) {
        WatchedKind<T> kind = all.upTo(largestObject);
        if (namespaces.isEmpty()) {
            return client.watch(kind.codec(), kind.scope(), watcher);
        }
        NamespacesWatch<T> merged = new NamespacesWatch<>(namespaces, keyOf, watcher);
        List<Subscription> subscriptions = new ArrayList<>();
        for (String namespace : namespaces) {
            subscriptions.add(
                    client.watch(kind.codec(), kind.scope().in(namespace), event -> merged.onEvent(namespace, event)));
        }
        return () -> subscriptions.forEach(Subscription::close);
    }
}
