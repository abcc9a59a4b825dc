package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.ApiResult;
import io.cle.strategy.internal.Strategies;

/**
 * Detects whether an API server that serves native LeaseCandidates also elects among them. Discovery doesn't show this: if the feature gate
 * {@code CoordinatedLeaderElection} is off, candidates are accepted, no coordinator elects, and the new fields of Leases are silently
 * dropped. Therefore a Lease with a strategy is created as a dry run, which stores nothing, and the response is inspected.
 */
record FeatureGateTrial(KubernetesTransport transport, String namespace, Duration timeout) {

    private static final int TOO_MANY_REQUESTS = 429;

    /**
     * Returns whether the gate is on. If the API server refuses the trial, the gate is assumed to be on, because the served API suggests it.
     * If the API server doesn't answer or is overloaded, the result isn't {@link ApiResult.Ok} and the trial has to be repeated.
     */
    CompletionStage<ApiResult<Boolean>> run() {
        ApiRequest request = new ApiRequest(
                Verb.CREATE, ResourceType.LEASES, namespace, null, Map.of("dryRun", "All"), lease(), timeout);
        return transport.send(request).thenApply(response -> {
            ApiResult<Boolean> result =
                    Answers.resultOf(request, response, lease -> new ApiResult.Ok<>(keepsStrategy(lease)));
            boolean known = result instanceof ApiResult.Ok<Boolean> || askAgain(result);
            return known ? result : new ApiResult.Ok<>(true);
        });
    }

    private static boolean askAgain(ApiResult<Boolean> result) {
        return result instanceof ApiResult.OutcomeUnknown<Boolean>
                || (result instanceof ApiResult.Refused<Boolean> refused && refused.status() == TOO_MANY_REQUESTS);
    }

    private static boolean keepsStrategy(JsonObject lease) {
        return lease.get("spec") instanceof JsonObject spec && spec.has("strategy");
    }

    private JsonObject lease() {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("generateName", "cle-feature-gate-trial-");
        metadata.addProperty("namespace", namespace);
        JsonObject spec = new JsonObject();
        spec.addProperty("strategy", Strategies.KUBE_APISERVERS_OWN);
        JsonObject lease = new JsonObject();
        lease.addProperty("apiVersion", ResourceType.LEASES.apiVersion());
        lease.addProperty("kind", ResourceType.LEASES.kind());
        lease.add("metadata", metadata);
        lease.add("spec", spec);
        return lease;
    }
}
