package io.cle.kubernetes.internal.codec;

import java.time.Instant;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.Lease;

/** Kubernetes Events on leases (protocol.md#events). Pure. */
public final class KubernetesEvents {

    /** The longest message in characters; longer ones are cut. */
    private static final int MAX_MESSAGE = 1024;

    private static final int MAX_NAME = 253;

    private KubernetesEvents() {}

    /**
     * Returns a {@code v1} Event.
     *
     * @param resource the kind of the involved object: a Lease, or the object that has the record
     * @param component the component that reports the Event
     * @param suffix makes the name unique
     */
    public static JsonObject of(
            ResourceType resource,
            Lease lease,
            boolean warning,
            String reason,
            String message,
            String component,
            Instant time,
            String suffix) {
        JsonObject event = new JsonObject();
        event.addProperty("apiVersion", ResourceType.EVENTS.apiVersion());
        event.addProperty("kind", ResourceType.EVENTS.kind());
        event.add("metadata", metadata(lease, suffix));
        event.add("involvedObject", involved(resource, lease));
        JsonObject source = new JsonObject();
        source.addProperty("component", component);
        event.add("source", source);
        event.addProperty("reportingComponent", component);
        event.addProperty("type", warning ? "Warning" : "Normal");
        event.addProperty("reason", reason);
        event.addProperty("message", shortened(message));
        event.addProperty("firstTimestamp", Rfc3339.seconds(time));
        event.addProperty("lastTimestamp", Rfc3339.seconds(time));
        event.addProperty("count", 1);
        return event;
    }

    private static JsonObject metadata(Lease lease, String suffix) {
        String name = lease.key().name();
        int room = MAX_NAME - suffix.length() - 1;
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name.substring(0, Math.min(name.length(), room)) + "." + suffix);
        metadata.addProperty("namespace", lease.key().namespace());
        return metadata;
    }

    private static JsonObject involved(ResourceType resource, Lease lease) {
        JsonObject involved = new JsonObject();
        involved.addProperty("apiVersion", resource.apiVersion());
        involved.addProperty("kind", resource.kind());
        involved.addProperty("namespace", lease.key().namespace());
        involved.addProperty("name", lease.key().name());
        // kubectl describe finds Events by the uid.
        Json.add(involved, "uid", lease.uid());
        Json.add(involved, "resourceVersion", lease.resourceVersion());
        return involved;
    }

    private static String shortened(String message) {
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 1) + "…";
    }
}
