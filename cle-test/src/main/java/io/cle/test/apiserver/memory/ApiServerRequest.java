package io.cle.test.apiserver.memory;

import java.util.LinkedHashMap;
import java.util.Map;

import com.google.gson.JsonElement;
import org.jspecify.annotations.Nullable;

/**
 * A request to an API server, with or without HTTP.
 *
 * @param method the HTTP method, in capitals
 * @param path the path, without the query: {@code /apis/coordination.k8s.io/v1/namespaces/shop/leases/orders}
 * @param query the query's parameters, decoded
 * @param contentType the media type of the body; null means {@code application/json}
 * @param accept the {@code Accept} header; null for plain JSON
 * @param body the body, null for none; never modified
 */
public record ApiServerRequest(
        String method,
        String path,
        Map<String, String> query,
        @Nullable String contentType,
        @Nullable String accept,
        @Nullable JsonElement body) {

    /** The media type of a JSON merge patch (RFC 7386). */
    public static final String MERGE_PATCH = "application/merge-patch+json";

    /** The media type of Kubernetes' own patch. */
    public static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    /** Reads an object or lists a collection. */
    public static ApiServerRequest get(String path) {
        return new ApiServerRequest("GET", path, Map.of(), null, null, null);
    }

    /** Creates an object in a collection. */
    public static ApiServerRequest post(String path, JsonElement body) {
        return new ApiServerRequest("POST", path, Map.of(), null, null, body);
    }

    /** Replaces an object. */
    public static ApiServerRequest put(String path, JsonElement body) {
        return new ApiServerRequest("PUT", path, Map.of(), null, null, body);
    }

    /** Applies a JSON merge patch to an object. */
    public static ApiServerRequest mergePatch(String path, JsonElement patch) {
        return new ApiServerRequest("PATCH", path, Map.of(), MERGE_PATCH, null, patch);
    }

    /** Deletes an object. */
    public static ApiServerRequest delete(String path) {
        return new ApiServerRequest("DELETE", path, Map.of(), null, null, null);
    }

    /**
     * Watches a collection.
     *
     * @param resourceVersion where to start; null to start with the current objects
     */
    public static ApiServerRequest watch(String path, @Nullable String resourceVersion) {
        ApiServerRequest request = get(path).with("watch", "true");
        return resourceVersion == null ? request : request.with("resourceVersion", resourceVersion);
    }

    /** Returns this request with another query parameter. */
    public ApiServerRequest with(String parameter, String value) {
        Map<String, String> extended = new LinkedHashMap<>(query);
        extended.put(parameter, value);
        return new ApiServerRequest(method, path, extended, contentType, accept, body);
    }

    /** Whether a parameter of the query is set to {@code true} or {@code 1}. */
    boolean isSet(String parameter) {
        String value = query.get(parameter);
        return value != null && (value.equals("true") || value.equals("1"));
    }

    /** Whether a {@code Table} is requested, as by {@code kubectl get}. */
    boolean wantsTable() {
        return accept != null && accept.contains("as=Table");
    }
}
