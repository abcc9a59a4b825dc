package io.cle.kubernetes.internal.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.ApiResult;

/**
 * Checks by SelfSubjectAccessReviews whether this process has the rights that it needs, before requests fail. Every account may check its
 * own rights. Thread-safe; results arrive on a thread of the transport.
 *
 * @param timeout the timeout of each request
 */
public record Preflight(KubernetesTransport transport, Duration timeout) {

    /** Checks all rights concurrently. The stage never fails. */
    public CompletionStage<AccessReport> check(List<AccessRight> rights) {
        List<Review> reviews = rights.stream()
                .flatMap(right -> right.verbs().stream().map(verb -> review(right, verb)))
                .toList();
        return CompletableFuture.allOf(reviews.stream().map(Review::answer).toArray(CompletableFuture[]::new))
                .thenApply(unused -> report(reviews));
    }

    private record Review(AccessRight right, String verb, CompletableFuture<ApiResult<Boolean>> answer) {}

    private static AccessReport report(List<Review> reviews) {
        Map<AccessRight, List<String>> denied = new LinkedHashMap<>();
        Optional<String> unchecked = Optional.empty();
        for (Review review : reviews) {
            ApiResult<Boolean> result = review.answer().join();
            if (!(result instanceof ApiResult.Ok<Boolean> ok)) {
                unchecked = AccessReport.unknown(result.describe()).unchecked();
            } else if (!ok.value()) {
                denied.computeIfAbsent(review.right(), right -> new ArrayList<>())
                        .add(review.verb());
            }
        }
        List<AccessRight> missing = new ArrayList<>();
        denied.forEach((right, verbs) -> missing.add(right.only(verbs)));
        return new AccessReport(missing, unchecked);
    }

    private Review review(AccessRight right, String verb) {
        JsonObject attributes = new JsonObject();
        attributes.addProperty("verb", verb);
        attributes.addProperty("group", right.resource().group());
        attributes.addProperty("version", right.resource().version());
        attributes.addProperty("resource", right.resource().plural());
        Json.add(attributes, "namespace", right.namespace());
        Json.add(attributes, "name", right.name());
        JsonObject spec = new JsonObject();
        spec.add("resourceAttributes", attributes);
        JsonObject review = new JsonObject();
        review.addProperty("apiVersion", ResourceType.ACCESS_REVIEWS.apiVersion());
        review.addProperty("kind", ResourceType.ACCESS_REVIEWS.kind());
        review.add("spec", spec);
        ApiRequest request =
                new ApiRequest(Verb.CREATE, ResourceType.ACCESS_REVIEWS, null, null, Map.of(), review, timeout);
        return new Review(
                right,
                verb,
                transport
                        .send(request)
                        .thenApply(response -> Answers.resultOf(request, response, Preflight::allowed))
                        .toCompletableFuture());
    }

    private static ApiResult<Boolean> allowed(JsonObject review) {
        JsonElement allowed = review.get("status") instanceof JsonObject status ? status.get("allowed") : null;
        return allowed instanceof JsonPrimitive primitive && primitive.isBoolean()
                ? new ApiResult.Ok<>(primitive.getAsBoolean())
                : new ApiResult.OutcomeUnknown<>("the answer to a SelfSubjectAccessReview doesn't say what is allowed");
    }
}
