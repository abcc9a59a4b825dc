package io.cle.test.apiserver.memory;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.resource.ResourceType;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.apiserver.store.ObjectStore;
import io.cle.test.apiserver.store.Preconditions;
import org.jspecify.annotations.Nullable;

/** Deletes objects, one or a collection. */
final class Deletions {

    private static final long USUAL_GRACE_SECONDS = 30;

    private final ObjectStore store;
    private final Writes.SideEffects sideEffects;

    Deletions(ObjectStore store, Writes.SideEffects sideEffects) {
        this.store = store;
        this.sideEffects = sideEffects;
    }

    ServerResponse delete(ResourceType type, RequestPath path, ApiServerRequest request) {
        String namespace = path.objectNamespace();
        String name = path.objectName();
        Preconditions preconditions = preconditions(request.body());
        JsonObject present = store.require(type.groupResource(), type.kind(), namespace, name, preconditions);
        if (Writes.isDryRun(request)) {
            return new ServerResponse.Answer(200, success(type, present));
        }
        JsonObject last = delete(type, present, request);
        boolean gone = store.get(type.groupResource(), namespace, name) == null;
        // The real one shows what ends gracefully, and says no more than that it's done of all else.
        return new ServerResponse.Answer(
                200, gone && !type.gracefulDeletion() ? success(type, present) : type.view(last));
    }

    ServerResponse deleteCollection(ResourceType type, RequestPath path, ApiServerRequest request) {
        List<JsonObject> selected = store.list(
                        type.groupResource(), path.namespace(), Reads.selector(type, path, request))
                .items();
        List<JsonObject> deleted = new ArrayList<>();
        for (JsonObject present : selected) {
            deleted.add(type.view(present));
            if (!Writes.isDryRun(request)) {
                delete(type, present, request);
            }
        }
        return new ServerResponse.Answer(200, Reads.listOf(type, deleted, Long.toString(store.resourceVersion())));
    }

    private JsonObject delete(ResourceType type, JsonObject present, ApiServerRequest request) {
        Long wished = graceSeconds(request);
        if (type.gracefulDeletion() && isSomewhere(present) && (wished == null || wished > 0)) {
            return store.markDeleted(type.groupResource(), present, wished == null ? USUAL_GRACE_SECONDS : wished);
        }
        JsonObject last = store.delete(
                type.groupResource(),
                type.kind(),
                Metadata.namespace(present),
                Metadata.name(present),
                Preconditions.NONE);
        sideEffects.written(type, last);
        return last;
    }

    /** Whether a pod has been given to a node, whose agent then decides when it has ended. */
    private static boolean isSomewhere(JsonObject pod) {
        return Metadata.at(pod, "spec.nodeName") != null;
    }

    private static @Nullable Long graceSeconds(ApiServerRequest request) {
        if (request.body() instanceof JsonObject options
                && options.get("gracePeriodSeconds") instanceof JsonPrimitive seconds) {
            return seconds.getAsLong();
        }
        String seconds = request.query().get("gracePeriodSeconds");
        return seconds == null ? null : Long.valueOf(seconds);
    }

    private static Preconditions preconditions(@Nullable JsonElement body) {
        if (body instanceof JsonObject options && options.get("preconditions") instanceof JsonObject demanded) {
            return new Preconditions(Metadata.string(demanded, "uid"), Metadata.string(demanded, "resourceVersion"));
        }
        return Preconditions.NONE;
    }

    private static JsonObject success(ResourceType type, JsonObject object) {
        JsonObject details = new JsonObject();
        details.addProperty("name", Metadata.name(object));
        if (!type.group().isEmpty()) {
            details.addProperty("group", type.group());
        }
        details.addProperty("kind", type.plural());
        details.addProperty("uid", Metadata.uid(object));
        JsonObject status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("apiVersion", "v1");
        status.add("metadata", new JsonObject());
        status.addProperty("status", "Success");
        status.add("details", details);
        return status;
    }
}
