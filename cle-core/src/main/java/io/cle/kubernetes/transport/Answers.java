package io.cle.kubernetes.transport;

import java.time.Duration;
import java.util.function.Function;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.api.ApiResult;
import org.jspecify.annotations.Nullable;

/** What the answers of an API server mean. Pure. */
public final class Answers {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int SERVER_ERROR = 500;

    private Answers() {}

    /** The result that an answer stands for; what a successful one means is up to the caller. */
    public static <R> ApiResult<R> resultOf(
            ApiRequest request, ApiResponse response, Function<JsonObject, ApiResult<R>> success) {
        if (!(response instanceof ApiResponse.Answered answered)) {
            return new ApiResult.OutcomeUnknown<>(((ApiResponse.Unanswered) response).message());
        }
        if (answered.ok()) {
            return success.apply(answered.body());
        }
        String message = describe(request, answered);
        if (answered.status() == CONFLICT) {
            return new ApiResult.Conflict<>(message);
        }
        if (answered.status() == NOT_FOUND) {
            return new ApiResult.Gone<>(message);
        }
        if (answered.status() >= SERVER_ERROR) {
            return new ApiResult.OutcomeUnknown<>("status " + answered.status() + ": " + message);
        }
        return new ApiResult.Refused<>(answered.status(), message, retryAfter(answered));
    }

    /** Whether an answer says that this one object isn't there, rather than its namespace or its whole kind. */
    public static boolean missesObject(ApiRequest request, ApiResponse response) {
        return response instanceof ApiResponse.Answered answered
                && answered.status() == NOT_FOUND
                && request.name() != null
                && !missesNamespace(answered)
                && (request.name().equals(text(details(answered), "name"))
                        || message(answered).contains('"' + request.name() + '"'));
    }

    /** Whether an answer says that the API server doesn't serve this kind of object. */
    public static boolean missesKind(ApiRequest request, ApiResponse response) {
        return response instanceof ApiResponse.Answered answered
                && answered.status() == NOT_FOUND
                && !missesNamespace(answered)
                && !missesObject(request, answered);
    }

    /** For a person: what was asked, what the server said, and what to do about it. */
    public static String describe(ApiRequest request, ApiResponse.Answered answered) {
        String message = request.describe() + ": " + message(answered);
        if (missesNamespace(answered)) {
            return message + "; create the namespace '" + request.namespace() + "' or set another one";
        }
        return missesKind(request, answered) ? message + "; " + hint(request.resource()) : message;
    }

    /** How long the server asks to wait, by its header or by the body of its answer. */
    public static @Nullable Duration retryAfter(ApiResponse.Answered answered) {
        if (answered.retryAfter() != null) {
            return answered.retryAfter();
        }
        JsonElement seconds = details(answered).get("retryAfterSeconds");
        return seconds != null
                        && seconds.isJsonPrimitive()
                        && seconds.getAsString().matches("[1-9]\\d{0,5}")
                ? Duration.ofSeconds(seconds.getAsLong())
                : null;
    }

    private static String hint(ResourceType resource) {
        if (resource.equals(ResourceType.CRD_CANDIDATES)) {
            return "the API server doesn't serve " + resource
                    + ": apply cle-coordinator-app/deploy/crds/leasecandidates.yaml, or set cle.api to native where the"
                    + " cluster serves " + ResourceType.NATIVE_CANDIDATES.apiVersion();
        }
        if (resource.equals(ResourceType.LEASE_CONFIGURATIONS)) {
            return "the API server doesn't serve " + resource
                    + ": apply cle-coordinator-app/deploy/crds/leaseconfigurations.yaml to use them";
        }
        if (resource.equals(ResourceType.NATIVE_CANDIDATES)) {
            return "the API server doesn't serve " + resource.apiVersion() + " " + resource.plural()
                    + ": start it with the feature gate CoordinatedLeaderElection and --runtime-config="
                    + resource.apiVersion() + "=true, or set cle.api to crd";
        }
        return "the API server doesn't serve " + resource;
    }

    private static boolean missesNamespace(ApiResponse.Answered answered) {
        return "namespaces".equals(text(details(answered), "kind"));
    }

    private static String message(ApiResponse.Answered answered) {
        String message = text(answered.body(), "message");
        return message == null || message.isEmpty() ? "status " + answered.status() : message;
    }

    private static JsonObject details(ApiResponse.Answered answered) {
        return answered.body().get("details") instanceof JsonObject details ? details : new JsonObject();
    }

    private static @Nullable String text(JsonObject object, String name) {
        JsonElement value = object.get(name);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : null;
    }
}
