package io.cle.kubernetes.internal.transport;

import java.time.Duration;
import java.util.Map;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A request to an API server. The body must not be changed after the request is created.
 *
 * @param verb the verb
 * @param resource the kind of object
 * @param namespace the namespace; {@code null} for all namespaces or a cluster-scoped kind
 * @param name the name of the object; {@code null} for all objects, or if the body has the name
 * @param query the query parameters, not yet encoded
 * @param body the JSON to send, {@code null} for none
 * @param timeout how long the answer may take; ignored for a watch
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

    /** The verbs of requests, named as in roles. */
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

        /** Returns the HTTP method. */
        public String httpMethod() {
            return httpMethod;
        }

        /** Returns whether the request may change something. */
        public boolean writes() {
            return this == CREATE || this == PATCH || this == DELETE;
        }
    }

    /** Returns the path, beginning with a slash. Its parts need no encoding, because Kubernetes names don't. */
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

    /** Returns the media type of the body. */
    public String contentType() {
        return verb == Verb.PATCH ? "application/merge-patch+json" : "application/json";
    }

    /** Describes the request: {@code PATCH /apis/coordination.k8s.io/v1/namespaces/shop/leases/orders}. */
    public String describe() {
        return verb.httpMethod() + " " + path();
    }
}
