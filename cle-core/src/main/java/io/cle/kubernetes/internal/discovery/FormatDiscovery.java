package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.api.ApiFormat;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ApiResult;

/** Asks an API server which wire formats it can be used with. Thread-safe; results arrive on the thread of the transport. */
public final class FormatDiscovery {

    private static final String NATIVE_NAME = ResourceType.NATIVE_CANDIDATES.apiVersion() + " LeaseCandidates";
    private static final String CRD_NAME = ResourceType.CRD_CANDIDATES.apiVersion() + " LeaseCandidates";
    private static final String APPLY = "apply cle-coordinator-app/deploy/crds/leasecandidates.yaml";

    private final KubernetesTransport transport;
    private final FeatureGateTrial trial;
    private final Duration timeout;

    /**
     * A discovery.
     *
     * @param namespace where Leases may be created; none is, but what would become of one is tried there
     * @param timeout how long each of its requests may take
     */
    public FormatDiscovery(KubernetesTransport transport, String namespace, Duration timeout) {
        this.transport = transport;
        this.trial = new FeatureGateTrial(transport, namespace, timeout);
        this.timeout = timeout;
    }

    /** Whether an API server serves the native format and has its feature gate on. */
    private record Native(boolean served, FeatureGateTrial.Finding gate) {

        static final Native NOT_SERVED = new Native(false, new FeatureGateTrial.Finding(false, ""));

        boolean usable() {
            return served && gate.on();
        }
    }

    /**
     * Asks the API server. While it doesn't answer, or refuses to, what it serves is unknown: then the result isn't
     * {@link ApiResult.Ok}, and it has to be asked again.
     */
    public CompletionStage<ApiResult<ServedFormats>> ask() {
        return ofNative()
                .thenCompose(ofNative -> serves(ResourceType.CRD_CANDIDATES).thenApply(ofCrd -> both(ofNative, ofCrd)));
    }

    private CompletionStage<ApiResult<Native>> ofNative() {
        return serves(ResourceType.NATIVE_CANDIDATES).thenCompose(served -> {
            boolean worthATrial = served instanceof ApiResult.Ok<Boolean> ok && ok.value();
            return worthATrial
                    ? trial.run().thenApply(found -> found.map(gate -> new Native(true, gate)))
                    : CompletableFuture.completedStage(served.map(unused -> Native.NOT_SERVED));
        });
    }

    private static ApiResult<ServedFormats> both(ApiResult<Native> ofNative, ApiResult<Boolean> ofCrd) {
        if (!(ofNative instanceof ApiResult.Ok<Native> nativeFound)) {
            return ofNative.map(unused -> ServedFormats.NONE);
        }
        if (!(ofCrd instanceof ApiResult.Ok<Boolean> crdServed)) {
            return ofCrd.map(unused -> ServedFormats.NONE);
        }
        Set<ApiFormat> served = EnumSet.noneOf(ApiFormat.class);
        if (nativeFound.value().usable()) {
            served.add(ApiFormat.NATIVE);
        }
        if (crdServed.value()) {
            served.add(ApiFormat.CRD);
        }
        return new ApiResult.Ok<>(new ServedFormats(served, reason(nativeFound.value(), crdServed.value())));
    }

    private static String reason(Native found, boolean crdServed) {
        if (found.usable()) {
            String doubt = found.gate().doubt();
            return "the API server serves " + NATIVE_NAME
                    + (doubt.isEmpty()
                            ? ""
                            : "; whether its feature gate CoordinatedLeaderElection is on could not be tried (" + doubt
                                    + "): if it is off, no coordinator elects, and the crd format has to be set");
        }
        if (found.served()) {
            return "the API server serves " + NATIVE_NAME + ", but drops the strategy of a Lease: its feature gate"
                    + " CoordinatedLeaderElection is off, and no coordinator would elect; "
                    + (crdServed ? CRD_NAME + " are served, too" : "switch it on, or " + APPLY);
        }
        if (crdServed) {
            return "the API server doesn't serve " + NATIVE_NAME + ", but " + CRD_NAME;
        }
        return "the API server serves neither " + NATIVE_NAME + " nor " + CRD_NAME + "; " + APPLY;
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
                    "the list of " + resource.apiVersion() + " can't be understood: " + e.problem());
        }
    }
}
