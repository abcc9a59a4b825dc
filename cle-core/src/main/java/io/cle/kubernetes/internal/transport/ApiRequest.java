package io.cle.kubernetes.internal.transport;

import java.time.Duration;
import java.util.Map;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A request to an API server. The body must not be changed once the request is made.
 *
 * @param verb what to do
 * @param resource to what kind of object
 * @param namespace where; {@code null} for all namespaces or a type without any
 * @param name to which one; {@code null} for all of them, or where the body has the name
 * @param query the query parameters, not yet encoded
 * @param body the JSON to send, {@code null} for none
 * @param timeout how long the answer may take; a watch has none
 */
public record ApiRequest(
        Verb verb,
        ResourceType resource,
        @Nullable String namespace,
        @Nullable String name,
        Map<String, String> query,
        @Nullable JsonObject body,
        Duration timeout) {

    /** Makes the query immutable. */
    public ApiRequest {
        query = Map.copyOf(query);
    }

    /** What can be asked of an API server, by the names that roles use. */
    public enum Verb {
        /** Reads one object, or a group's discovery document. */
        GET("GET"),
        /** Reads all objects. */
        LIST("GET"),
        /** Streams changes. */
        WATCH("GET"),
        /** Creates an object. */
        CREATE("POST"),
        /** Changes parts of an object by a JSON merge patch (RFC 7386). */
        PATCH("PATCH"),
        /** Deletes an object. */
        DELETE("DELETE");

        private final String httpMethod;

        Verb(String httpMethod) {
            this.httpMethod = httpMethod;
        }

        /** The method of HTTP. */
        public String httpMethod() {
            return httpMethod;
        }

        /** Whether it may change something. */
        public boolean writes() {
            return this == CREATE || this == PATCH || this == DELETE;
        }
    }

    /** The path, beginning with a slash; its parts need no encoding, as names of Kubernetes don't. */
    public String path() {
        StringBuilder path = new StringBuilder(resource.root());
        if (namespace != null) {
            path.append("/namespaces/").append(namespace);
        }
        if (!resource.plural().isEmpty()) {
            path.append('/').append(resource.plural());
        }
        if (name != null) {
            path.append('/').append(name);
        }
        return path.toString();
    }

    /** The media type of the body. */
    public String contentType() {
        return verb == Verb.PATCH ? "application/merge-patch+json" : "application/json";
    }

    /** For a person: {@code PATCH /apis/coordination.k8s.io/v1/namespaces/shop/leases/orders}. */
    public String describe() {
        return verb.httpMethod() + " " + path();
    }
}
