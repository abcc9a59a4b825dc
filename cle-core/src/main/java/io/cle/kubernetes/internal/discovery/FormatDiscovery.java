package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
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
import io.cle.kubernetes.internal.transport.NegotiatedTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ApiResult;
import org.jspecify.annotations.Nullable;

/** Asks an API server which wire formats it can be used with. Thread-safe; results arrive on the thread of the transport. */
public final class FormatDiscovery {

    private static final String NO_NATIVE = ResourceType.NATIVE_CANDIDATES.group() + " LeaseCandidates";
    private static final String CRD_NAME = ResourceType.CRD_CANDIDATES.apiVersion() + " LeaseCandidates";
    private static final String APPLY = "apply cle-coordinator-app/deploy/crds/leasecandidates.yaml";

    private final NegotiatedTransport transport;
    private final FeatureGateTrial trial;
    private final Duration timeout;

    /**
     * A discovery.
     *
     * @param transport is told the version in which the API server serves native candidates
     * @param namespace where Leases may be created; none is, but what would become of one is tried there
     * @param timeout how long each of its requests may take
     */
    public FormatDiscovery(NegotiatedTransport transport, String namespace, Duration timeout) {
        this.transport = transport;
        this.trial = new FeatureGateTrial(transport, namespace, timeout);
        this.timeout = timeout;
    }

    /**
     * Whether an API server serves the native format and has its feature gate on.
     *
     * @param version the newest version that it serves; {@code null} for none
     */
    private record Native(@Nullable ResourceType version, FeatureGateTrial.Finding gate) {

        static final Native NOT_SERVED = new Native(null, new FeatureGateTrial.Finding(false, ""));

        String name() {
            return version == null ? NO_NATIVE : version.apiVersion() + " LeaseCandidates";
        }

        boolean usable() {
            return version != null && gate.on();
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
        return newest(NegotiatedTransport.VERSIONS.iterator()).thenCompose(found -> {
            if (!(found instanceof ApiResult.Ok<Optional<ResourceType>> ok)
                    || ok.value().isEmpty()) {
                return CompletableFuture.completedStage(found.map(none -> Native.NOT_SERVED));
            }
            ResourceType version = ok.value().get();
            transport.use(version);
            return trial.run().thenApply(tried -> tried.map(gate -> new Native(version, gate)));
        });
    }

    private CompletionStage<ApiResult<Optional<ResourceType>>> newest(Iterator<ResourceType> versions) {
        if (!versions.hasNext()) {
            return CompletableFuture.completedStage(new ApiResult.Ok<>(Optional.empty()));
        }
        ResourceType version = versions.next();
        return serves(version)
                .thenCompose(served -> served instanceof ApiResult.Ok<Boolean> ok && !ok.value()
                        ? newest(versions)
                        : CompletableFuture.completedStage(served.map(yes -> Optional.of(version))));
    }

    private static ApiResult<ServedFormats> both(ApiResult<Native> ofNative, ApiResult<Boolean> ofCrd) {
        if (!(ofNative instanceof ApiResult.Ok<Native> nativeFound)) {
            return ofNative.failure();
        }
        if (!(ofCrd instanceof ApiResult.Ok<Boolean> crdServed)) {
            return ofCrd.failure();
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
            return "the API server serves " + found.name()
                    + (doubt.isEmpty()
                            ? ""
                            : "; whether its feature gate CoordinatedLeaderElection is on could not be tried (" + doubt
                                    + "): if it is off, no coordinator elects, and the crd format has to be set");
        }
        if (found.version() != null) {
            return "the API server serves " + found.name() + ", but drops the strategy of a Lease: its feature gate"
                    + " CoordinatedLeaderElection is off, and no coordinator would elect; "
                    + (crdServed ? CRD_NAME + " are served, too" : "switch it on, or " + APPLY);
        }
        if (crdServed) {
            return "the API server doesn't serve " + found.name() + ", but " + CRD_NAME;
        }
        return "the API server serves neither " + found.name() + " nor " + CRD_NAME + "; " + APPLY;
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
