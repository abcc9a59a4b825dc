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
import io.cle.strategy.internal.StrategyRule;

/**
 * Finds out whether an API server that serves native LeaseCandidates also elects among them. Discovery doesn't tell: with the feature
 * gate {@code CoordinatedLeaderElection} off, candidates are accepted, no coordinator elects, and what is new in Leases is dropped without a
 * word. So a Lease with a strategy is created as a dry run, which writes nothing, and what comes back is looked at.
 */
record FeatureGateTrial(KubernetesTransport transport, String namespace, Duration timeout) {

    private static final int TOO_MANY_REQUESTS = 429;

    /**
     * What the trial has shown.
     *
     * @param on whether the gate is on; taken to be where that can't be tried, as it is what the served API suggests
     * @param doubt why it could not be tried; empty where it was
     */
    record Finding(boolean on, String doubt) {}

    /** Tries. An API server that doesn't answer, or has no time to, has to be asked again: then the result isn't {@link ApiResult.Ok}. */
    CompletionStage<ApiResult<Finding>> run() {
        ApiRequest request = new ApiRequest(
                Verb.CREATE, ResourceType.LEASES, namespace, null, Map.of("dryRun", "All"), lease(), timeout);
        return transport.send(request).thenApply(response -> {
            ApiResult<Finding> result = Answers.resultOf(
                    request, response, lease -> new ApiResult.Ok<>(new Finding(keepsStrategy(lease), "")));
            return askAgain(result) ? result : orDoubt(result);
        });
    }

    private static boolean askAgain(ApiResult<Finding> result) {
        return result instanceof ApiResult.OutcomeUnknown<Finding>
                || (result instanceof ApiResult.Refused<Finding> refused && refused.status() == TOO_MANY_REQUESTS);
    }

    private static ApiResult<Finding> orDoubt(ApiResult<Finding> result) {
        return result instanceof ApiResult.Ok<Finding>
                ? result
                : new ApiResult.Ok<>(new Finding(true, result.describe()));
    }

    private static boolean keepsStrategy(JsonObject lease) {
        return lease.get("spec") instanceof JsonObject spec && spec.has("strategy");
    }

    private JsonObject lease() {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("generateName", "cle-feature-gate-trial-");
        metadata.addProperty("namespace", namespace);
        JsonObject spec = new JsonObject();
        spec.addProperty("strategy", StrategyRule.KUBE_APISERVERS_OWN);
        JsonObject lease = new JsonObject();
        lease.addProperty("apiVersion", ResourceType.LEASES.apiVersion());
        lease.addProperty("kind", ResourceType.LEASES.kind());
        lease.add("metadata", metadata);
        lease.add("spec", spec);
        return lease;
    }
}
