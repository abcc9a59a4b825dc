package io.cle.kubernetes;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.kubernetes.ApiRequest.Verb;

/** Asks an API server which wire formats it serves. Thread-safe; results arrive on the thread of the transport. */
public final class FormatDiscovery {

    private static final int NOT_FOUND = 404;

    private final KubernetesTransport transport;
    private final Duration timeout;

    /**
     * A discovery.
     *
     * @param timeout how long each of its requests may take
     */
    public FormatDiscovery(KubernetesTransport transport, Duration timeout) {
        this.transport = transport;
        this.timeout = timeout;
    }

    /**
     * Asks. An API server that doesn't answer, or refuses to, serves nobody knows what: then the result isn't
     * {@link ApiResult.Ok}, and it has to be asked again.
     */
    public CompletionStage<ApiResult<ServedFormats>> ask() {
        return serves(ResourceType.NATIVE_CANDIDATES)
                .thenCompose(ofNative -> serves(ResourceType.CRD_CANDIDATES).thenApply(ofCrd -> both(ofNative, ofCrd)));
    }

    private static ApiResult<ServedFormats> both(ApiResult<Boolean> ofNative, ApiResult<Boolean> ofCrd) {
        if (!(ofNative instanceof ApiResult.Ok<Boolean> nativeServed)) {
            return ofNative.map(FormatDiscovery::none);
        }
        if (!(ofCrd instanceof ApiResult.Ok<Boolean> crdServed)) {
            return ofCrd.map(FormatDiscovery::none);
        }
        Set<ApiFormat> served = EnumSet.noneOf(ApiFormat.class);
        if (nativeServed.value()) {
            served.add(ApiFormat.NATIVE);
        }
        if (crdServed.value()) {
            served.add(ApiFormat.CRD);
        }
        return new ApiResult.Ok<>(new ServedFormats(served, reason(nativeServed.value(), crdServed.value())));
    }

    private static ServedFormats none(Boolean unused) {
        return new ServedFormats(Set.of(), "");
    }

    private static String reason(boolean nativeServed, boolean crdServed) {
        String nativeName = ResourceType.NATIVE_CANDIDATES.apiVersion() + " LeaseCandidates";
        String crdName = ResourceType.CRD_CANDIDATES.apiVersion() + " LeaseCandidates";
        if (nativeServed) {
            return "the API server serves " + nativeName;
        }
        if (crdServed) {
            return "the API server doesn't serve " + nativeName + ", but " + crdName;
        }
        return "the API server serves neither " + nativeName + " nor " + crdName
                + "; apply cle-coordinator-app/deploy/crds/leasecandidates.yaml";
    }

    private CompletionStage<ApiResult<Boolean>> serves(ResourceType resource) {
        ResourceType group = new ResourceType(resource.group(), resource.version(), "", "APIResourceList");
        ApiRequest request = new ApiRequest(Verb.GET, group, null, null, Map.of(), null, timeout);
        return transport.send(request).thenApply(response -> {
            if (response instanceof ApiResponse.Answered answered && answered.status() == NOT_FOUND) {
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
                    "the list of " + resource.apiVersion() + " can't be understood: " + e.problem());
        }
    }
}
