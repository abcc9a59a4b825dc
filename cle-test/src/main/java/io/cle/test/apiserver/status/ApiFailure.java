package io.cle.test.apiserver.status;

import java.util.List;
import java.util.stream.Collectors;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A request that the API server refuses, as the {@code Status} object that kube-apiserver would answer with.
 *
 * <p>It has no stack trace, because a simulation gets thousands of them.
 */
public final class ApiFailure extends RuntimeException {

    private final int code;
    private final @Nullable String reason;
    private final transient @Nullable JsonObject details;

    private ApiFailure(int code, @Nullable String reason, String message, @Nullable JsonObject details) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
    }

    /** 400: the request is malformed. */
    public static ApiFailure badRequest(String message) {
        return new ApiFailure(400, "BadRequest", message, null);
    }

    /** 403: access is denied. {@code message} is complete. */
    public static ApiFailure forbidden(String group, String resource, @Nullable String name, String message) {
        return new ApiFailure(403, "Forbidden", message, details(group, resource, name));
    }

    /** 404: there is no such object. */
    public static ApiFailure notFound(String group, String resource, String name) {
        return new ApiFailure(
                404,
                "NotFound",
                qualified(resource, group) + " \"" + name + "\" not found",
                details(group, resource, name));
    }

    /** 405: unsupported method. */
    public static ApiFailure methodNotAllowed() {
        return new ApiFailure(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                new JsonObject());
    }

    /** 409: an object of this name is there already. */
    public static ApiFailure alreadyExists(String group, String resource, String name) {
        return new ApiFailure(
                409,
                "AlreadyExists",
                qualified(resource, group) + " \"" + name + "\" already exists",
                details(group, resource, name));
    }

    /** 409: the object has changed since the read. */
    public static ApiFailure conflict(String group, String resource, String name) {
        return conflict(
                group,
                resource,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** 409 with a particular explanation. */
    public static ApiFailure conflict(String group, String resource, String name, String explanation) {
        return new ApiFailure(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + qualified(resource, group) + " \"" + name + "\": " + explanation,
                details(group, resource, name));
    }

    /** 410: the requested version is compacted; list again. */
    public static ApiFailure expired(String message) {
        return new ApiFailure(410, "Expired", message, null);
    }

    /** 415: unsupported media type. */
    public static ApiFailure unsupportedMediaType(String message) {
        return new ApiFailure(415, "UnsupportedMediaType", message, null);
    }

    /** 503: this server doesn't support the request, but clients have an alternative. */
    public static ApiFailure unavailable(String message) {
        return new ApiFailure(503, "ServiceUnavailable", message, null);
    }

    /** 422: the object breaks its type's rules. {@code kind} may also be a resource's plural, as in kube-apiserver. */
    public static ApiFailure invalid(String group, String kind, String name, List<StatusCause> causes) {
        JsonObject details = details(group, kind, name);
        JsonArray array = new JsonArray();
        causes.forEach(cause -> array.add(cause.toJson()));
        details.add("causes", array);
        String explanation = causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .collect(Collectors.joining(", "));
        return new ApiFailure(
                422,
                "Invalid",
                qualified(kind, group) + " \"" + name + "\" is invalid: "
                        + (causes.size() == 1 ? explanation : "[" + explanation + "]"),
                details);
    }

    /** 500: errors without a more specific reason. */
    public static ApiFailure internal(String message) {
        return new ApiFailure(500, null, message, null);
    }

    /** 504: the resourceVersion isn't reached yet. */
    public static ApiFailure tooLargeResourceVersion(String asked, String current) {
        JsonObject cause = new JsonObject();
        cause.addProperty("reason", "ResourceVersionTooLarge");
        cause.addProperty("message", "Too large resource version");
        JsonArray causes = new JsonArray();
        causes.add(cause);
        JsonObject details = new JsonObject();
        details.add("causes", causes);
        details.addProperty("retryAfterSeconds", 1);
        return new ApiFailure(
                504, "Timeout", "Timeout: Too large resource version: " + asked + ", current: " + current, details);
    }

    /** The HTTP status code. */
    public int code() {
        return code;
    }

    /** Returns a new object of kind {@code Status}. */
    public JsonObject toStatus() {
        JsonObject status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("apiVersion", "v1");
        status.add("metadata", new JsonObject());
        status.addProperty("status", "Failure");
        status.addProperty("message", getMessage());
        if (reason != null) {
            status.addProperty("reason", reason);
        }
        if (details != null) {
            status.add("details", details.deepCopy());
        }
        status.addProperty("code", code);
        return status;
    }

    private static JsonObject details(String group, String kind, @Nullable String name) {
        JsonObject details = new JsonObject();
        if (name != null && !name.isEmpty()) {
            details.addProperty("name", name);
        }
        if (!group.isEmpty()) {
            details.addProperty("group", group);
        }
        details.addProperty("kind", kind);
        return details;
    }

    private static String qualified(String resource, String group) {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
