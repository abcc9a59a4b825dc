package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.ApiResult;

/** Queries an API server for the wire formats that it supports. Thread-safe; results arrive on the thread of the transport. */
public final class FormatDiscovery {

    private static final String NO_NATIVE = ResourceType.NATIVE_CANDIDATES.group() + " LeaseCandidates";
    private static final String CRD_NAME = ResourceType.CRD_CANDIDATES.apiVersion() + " LeaseCandidates";
    private static final String APPLY = "apply cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml";

    private final KubernetesTransport transport;
    private final FeatureGateTrial trial;
    private final Duration timeout;

    /**
     * Creates a discovery.
     *
     * @param namespace a namespace in which Leases may be created, for a dry run that stores none
     * @param timeout the timeout of each request
     */
    public FormatDiscovery(KubernetesTransport transport, String namespace, Duration timeout) {
        this.transport = transport;
        this.trial = new FeatureGateTrial(transport, namespace, timeout);
        this.timeout = timeout;
    }

    /**
     * Queries the API server. If it doesn't answer or refuses, the result isn't {@link ApiResult.Ok} and the query has to be repeated.
     */
    public CompletionStage<ApiResult<ServedFormats>> ask() {
        CompletionStage<ApiResult<List<ResourceType>>> all =
                CompletableFuture.completedStage(new ApiResult.Ok<>(List.of()));
        for (ResourceType kind : ResourceType.NATIVE_VERSIONS) {
            all = all.thenCompose(found -> with(kind, found));
        }
        return all.thenCompose(found -> with(ResourceType.CRD_CANDIDATES, found))
                .thenCompose(this::tried);
    }

    private CompletionStage<ApiResult<List<ResourceType>>> with(
            ResourceType kind, ApiResult<List<ResourceType>> found) {
        return found instanceof ApiResult.Ok<List<ResourceType>> ok
                ? serves(kind).thenApply(served -> served.map(yes -> yes ? and(ok.value(), kind) : ok.value()))
                : CompletableFuture.completedStage(found);
    }

    private static List<ResourceType> and(List<ResourceType> kinds, ResourceType another) {
        return Stream.concat(kinds.stream(), Stream.of(another)).toList();
    }

    /** Drops native kinds if the feature gate is off. */
    private CompletionStage<ApiResult<ServedFormats>> tried(ApiResult<List<ResourceType>> found) {
        if (!(found instanceof ApiResult.Ok<List<ResourceType>> served)
                || served.value().isEmpty()
                || served.value().get(0).format() == ApiFormat.CRD) {
            return CompletableFuture.completedStage(found.map(kinds -> new ServedFormats(
                    kinds,
                    kinds.isEmpty()
                            ? "the API server serves neither " + NO_NATIVE + " nor " + CRD_NAME + "; " + APPLY
                            : "the API server doesn't serve " + NO_NATIVE + ", but " + CRD_NAME)));
        }
        return trial.run().thenApply(result -> result.map(gate -> withGate(served.value(), gate)));
    }

    private static ServedFormats withGate(List<ResourceType> served, boolean on) {
        String newest = "the API server serves " + served.get(0).apiVersion() + " LeaseCandidates";
        if (on) {
            return new ServedFormats(served, newest);
        }
        List<ResourceType> left =
                served.stream().filter(kind -> kind.format() == ApiFormat.CRD).toList();
        String instead = left.isEmpty() ? "switch it on, or " + APPLY : CRD_NAME + " are served, too";
        return new ServedFormats(
                left,
                newest
                        + ", but drops the strategy of a Lease: its feature gate CoordinatedLeaderElection is off, and no"
                        + " coordinator would elect; " + instead);
    }

    private CompletionStage<ApiResult<Boolean>> serves(ResourceType resource) {
        ResourceType group = new ResourceType(resource.group(), resource.version(), "", "APIResourceList");
        ApiRequest request = new ApiRequest(Verb.GET, group, null, null, Map.of(), null, timeout);
        return transport.send(request).thenApply(response -> {
            if (Answers.missesKind(request, response)) {
                return new ApiResult.Ok<>(false);
            }
            return Answers.resultOf(request, response, list -> lists(resource, list));
        });
    }

    private static ApiResult<Boolean> lists(ResourceType resource, JsonObject list) {
        try {
            for (Fields entry : Fields.of(list).children("resources")) {
                if (resource.plural().equals(entry.string("name"))) {
                    return new ApiResult.Ok<>(true);
                }
            }
            return new ApiResult.Ok<>(false);
        } catch (MalformedObjectException e) {
            return new ApiResult.OutcomeUnknown<>(
                    "the list of " + resource.apiVersion() + " is malformed: " + e.problem());
        }
    }
}
