package io.cle.kubernetes.internal.transport;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.PrintableText;
import org.jspecify.annotations.Nullable;

/** Interprets the answers of an API server. Pure. Rule: {@code protocol.md#objects}. */
public final class Answers {

    /** The longest {@code Retry-After} that is followed. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /** The answer of Go's HTTP server for a path that it doesn't serve. */
    private static final String PAGE_NOT_FOUND = "404 page not found";

    /** The message of kube-apiserver when its authorizers deny a request: {@code User "…" cannot get resource "leases" in API group "…"}. */
    private static final Pattern DENIED = Pattern.compile("\\bUser \"[^\"]*\" cannot [a-z]+ (resource|path) ");

    private Answers() {}

    /** Returns the result of a request; what a successful response means is up to the caller. */
    public static <R> ApiResult<R> resultOf(
            ApiRequest request, ApiResponse response, Function<JsonObject, ApiResult<R>> success) {
        if (!(response instanceof ApiResponse.Answered answered)) {
            return new ApiResult.OutcomeUnknown<>(((ApiResponse.Unanswered) response).message());
        }
        if (answered.ok()) {
            return success.apply(answered.body());
        }
        String message = describe(request, answered);
        if (answered.status() == HttpURLConnection.HTTP_CONFLICT) {
            return new ApiResult.Conflict<>(message);
        }
        if (answered.status() == HttpURLConnection.HTTP_NOT_FOUND && isFromApiServer(request, answered)) {
            return new ApiResult.Gone<>(message);
        }
        if (answered.status() >= HttpURLConnection.HTTP_INTERNAL_ERROR
                || answered.status() == HttpURLConnection.HTTP_NOT_FOUND) {
            return new ApiResult.OutcomeUnknown<>("status " + answered.status() + ": " + message);
        }
        return new ApiResult.Refused<>(answered.status(), message, retryAfter(answered));
    }

    /** Returns whether an answer says that the object doesn't exist, rather than its namespace or its kind. */
    public static boolean missesObject(ApiRequest request, ApiResponse response) {
        return response instanceof ApiResponse.Answered answered
                && answered.status() == HttpURLConnection.HTTP_NOT_FOUND
                && request.name() != null
                && isStatus(answered)
                && !missesNamespace(answered)
                && (request.name().equals(text(details(answered), "name"))
                        || message(answered).contains('"' + request.name() + '"'));
    }

    /** Returns whether an answer says that the API server doesn't serve this kind of object. */
    public static boolean missesKind(ApiRequest request, ApiResponse response) {
        return response instanceof ApiResponse.Answered answered
                && answered.status() == HttpURLConnection.HTTP_NOT_FOUND
                && (isStatus(answered) || PAGE_NOT_FOUND.equals(message(answered)))
                && !missesNamespace(answered)
                && !missesObject(request, answered);
    }

    /**
     * Returns whether a 404 can come from kube-apiserver. A load balancer without available backends answers with its own page. If
     * that were treated as a deleted Lease, it would end the leader's term (safety.md#unknown-outcome). kube-apiserver answers with a
     * Status, and with plain text only for an API version that it doesn't serve; it always serves v1.
     */
    private static boolean isFromApiServer(ApiRequest request, ApiResponse.Answered answered) {
        boolean maybeNotServed = !request.resource().version().equals("v1");
        return isStatus(answered) || (maybeNotServed && PAGE_NOT_FOUND.equals(message(answered)));
    }

    private static boolean isStatus(ApiResponse.Answered answered) {
        return "Status".equals(text(answered.body(), "kind"));
    }

    /** Describes the request, the server's answer, and what to do. */
    public static String describe(ApiRequest request, ApiResponse.Answered answered) {
        String message = request.describe() + ": " + PrintableText.text(message(answered));
        if (missesNamespace(answered)) {
            return message + "; create the namespace '" + request.namespace() + "' or set another one";
        }
        if (answered.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return message
                    + "; the API server doesn't accept this process's credentials: check the token or certificate of the"
                    + " kubeconfig or of the service account";
        }
        if (isAnonymous(answered)) {
            return message
                    + "; the API server found no credentials with this request: check the user of the kubeconfig, or that the"
                    + " token of the service account is mounted";
        }
        if (missesRight(answered) && request.resource().plural().isEmpty()) {
            return message
                    + "; grant this path to the account, by a ClusterRole with nonResourceURLs and a ClusterRoleBinding"
                    + " (Kubernetes has one, system:discovery), or set cle.api: crd (for the coordinator cle.coordinator.api: crd),"
                    + " which needs no discovery";
        }
        if (missesRight(answered)) {
            return message + "; grant this right to the account: " + roleFor(request)
                    + " of cle-coordinator-app/deploy has it, to be bound by "
                    + (request.namespace() == null ? "a ClusterRoleBinding" : "a RoleBinding in this namespace")
                    + " (docs/deploy.md, \"Which rights are needed\")";
        }
        return missesKind(request, answered) ? message + "; " + hint(request.resource()) : message;
    }

    /**
     * Returns how long the server asks to wait, from the header or the body of its answer, but at most {@link #LONGEST_WAIT}; {@code null}
     * if it doesn't ask. Without this limit, a proxy that asks for days would keep this process from its leases for days.
     */
    public static @Nullable Duration retryAfter(ApiResponse.Answered answered) {
        Duration asked = askedToWait(answered);
        return asked == null || asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
    }

    private static @Nullable Duration askedToWait(ApiResponse.Answered answered) {
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
                    + ": apply cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml, or use the native format where the"
                    + " cluster serves " + ResourceType.NATIVE_CANDIDATES.apiVersion();
        }
        if (resource.equals(ResourceType.LEASE_CONFIGURATIONS)) {
            return "the API server doesn't serve " + resource
                    + ": apply cle-coordinator-app/deploy/helm/files/crds/leaseconfigurations.yaml to use them";
        }
        if (ResourceType.NATIVE_VERSIONS.contains(resource)) {
            return "the API server doesn't serve " + resource.apiVersion() + " " + resource.plural()
                    + ": start it with the feature gate CoordinatedLeaderElection and --runtime-config="
                    + resource.apiVersion() + "=true, or use the crd format";
        }
        return "the API server doesn't serve " + resource;
    }

    private static String roleFor(ApiRequest request) {
        return switch (request.resource().plural()) {
            case "leases" ->
                "the ClusterRole cle-application (with cle.resource-lock=leases, the component direct-lock; for a coordinator,"
                        + " cle-coordinator)";
            case "leasecandidates" -> "the ClusterRole cle-application, and for a coordinator cle-coordinator,";
            case "endpoints", "configmaps" -> "the component legacy-lock";
            case "pods" ->
                request.verb() == ApiRequest.Verb.PATCH
                        ? "the component leader-pod"
                        : "the ClusterRole cle-coordinator";
            default -> "the ClusterRole cle-coordinator";
        };
    }

    /**
     * Returns whether the account lacks a right, in which case the API server's message names verb, resource and namespace. Quotas and
     * admission also answer with 403, but with other messages.
     */
    static boolean missesRight(ApiResponse.Answered answered) {
        return answered.status() == HttpURLConnection.HTTP_FORBIDDEN
                && DENIED.matcher(message(answered)).find();
    }

    private static boolean isAnonymous(ApiResponse.Answered answered) {
        return missesRight(answered) && message(answered).contains("User \"system:anonymous\" cannot ");
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
