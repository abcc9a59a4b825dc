package io.cle.test.apiserver.memory;

import java.util.List;
import java.util.Objects;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.GroupResource;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.apiserver.store.ObjectStore;
import io.cle.test.apiserver.store.Preconditions;
import org.jspecify.annotations.Nullable;

/** Creates, updates, patches and deletes. */
final class Writes {

    private static final String APPLY_PATCH = "application/apply-patch+yaml";

    private final ObjectStore store;
    private final Namespaces namespaces;
    private final SideEffects sideEffects;

    /** Side effects of a write: a definition's kinds are served, a deleted namespace is emptied. */
    interface SideEffects {
        void written(ApiResource type, JsonObject object);
    }

    Writes(ObjectStore store, Namespaces namespaces, SideEffects sideEffects) {
        this.store = store;
        this.namespaces = namespaces;
        this.sideEffects = sideEffects;
    }

    ServerResponse create(ApiResource type, RequestPath path, ApiServerRequest request) {
        return create(type, IncomingObject.read(type, path, request), request);
    }

    private ServerResponse create(ApiResource type, JsonObject object, ApiServerRequest request) {
        namespaces.require(type, Metadata.namespace(object));
        if (Metadata.resourceVersion(object) != null) {
            throw ApiFailure.internal("resourceVersion should not be set on objects to be created");
        }
        if (type.statusSubresource()) {
            object.remove("status");
            type.rules().decode(object);
        }
        IncomingObject.validate(type, object, null);
        if (isDryRun(request)) {
            return new ServerResponse.Answer(201, object);
        }
        JsonObject created = store.create(type.groupResource(), object);
        sideEffects.written(type, created);
        return new ServerResponse.Answer(201, type.view(created));
    }

    ServerResponse update(ApiResource type, RequestPath path, ApiServerRequest request) {
        JsonObject object = IncomingObject.read(type, path, request);
        checkName(path, object);
        JsonObject present = store.get(type.groupResource(), Metadata.namespace(object), Metadata.name(object));
        if (present == null && type.createdByPut() && Metadata.uid(object) == null) {
            Metadata.ensure(object).remove("resourceVersion");
            return create(type, object, request);
        }
        if (present != null && Metadata.resourceVersion(object) == null && !type.unconditionalUpdate()) {
            throw ApiFailure.invalid(
                    type.group(),
                    type.plural(),
                    Metadata.name(object),
                    List.of(StatusCause.invalid("metadata.resourceVersion", "0", "must be specified for an update")));
        }
        return replace(type, path, object, request);
    }

    ServerResponse patch(ApiResource type, RequestPath path, ApiServerRequest request) {
        String name = path.objectName();
        String namespace = path.objectNamespace();
        JsonObject present = store.get(type.groupResource(), namespace, name);
        boolean applied = APPLY_PATCH.equals(request.contentType());
        if (present == null) {
            if (applied) {
                JsonObject object = IncomingObject.read(type, path, request);
                checkName(path, object);
                return create(type, object, request);
            }
            throw ApiFailure.notFound(type.group(), type.plural(), name);
        }
        JsonObject object = type.view(present).deepCopy();
        Metadata.ensure(object);
        applyPatch(type, object, request);
        IncomingObject.normalize(type, object);
        checkName(path, object);
        if (!Objects.equals(Metadata.uid(object), Metadata.uid(present))) {
            throw ApiFailure.invalid(
                    type.group(),
                    type.kind(),
                    name,
                    List.of(StatusCause.invalid(
                            "metadata.uid", '"' + String.valueOf(Metadata.uid(object)) + '"', "field is immutable")));
        }
        return replace(type, path, object, request);
    }

    private static void applyPatch(ApiResource type, JsonObject target, ApiServerRequest request) {
        String contentType = request.contentType() == null ? "" : request.contentType();
        JsonElement patch = request.body();
        boolean strategic = contentType.equals(ApiServerRequest.STRATEGIC_MERGE_PATCH);
        if (strategic && type.custom()) {
            throw ApiFailure.unsupportedMediaType(
                    "the body of the request was in an unknown format - accepted media types include: "
                            + "application/merge-patch+json, application/apply-patch+yaml");
        }
        if (!strategic && !contentType.equals(ApiServerRequest.MERGE_PATCH) && !contentType.equals(APPLY_PATCH)) {
            throw ApiFailure.unsupportedMediaType("the embedded API server takes merge patches, strategic merge patches"
                    + " and server-side apply, but no patch of the type '" + contentType + "'");
        }
        if (!(patch instanceof JsonObject change)) {
            throw ApiFailure.badRequest("a merge patch is an object, not " + patch);
        }
        if (strategic) {
            MergePatch.applyStrategic(target, change);
        } else {
            MergePatch.apply(target, change);
        }
    }

    /** Compares versions before validating, as kube-apiserver does. */
    private ServerResponse replace(ApiResource type, RequestPath path, JsonObject object, ApiServerRequest request) {
        JsonObject stored = store.present(type.groupResource(), object);
        JsonObject present = type.view(stored);
        JsonObject next = object;
        if (type.statusSubresource()) {
            next = "status".equals(path.subresource())
                    ? withField(present.deepCopy(), "status", object.get("status"))
                    : withField(object, "status", present.get("status"));
        }
        IncomingObject.validate(type, next, present);
        if (isDryRun(request)) {
            return new ServerResponse.Answer(200, next);
        }
        next.add("apiVersion", stored.get("apiVersion"));
        JsonObject updated = store.update(type.groupResource(), next, stored);
        sideEffects.written(type, updated);
        return new ServerResponse.Answer(200, type.view(updated));
    }

    ServerResponse delete(ApiResource type, RequestPath path, ApiServerRequest request) {
        GroupResource resource = type.groupResource();
        String namespace = path.objectNamespace();
        String name = path.objectName();
        JsonObject present = store.require(resource, type.kind(), namespace, name, preconditions(request.body()));
        if (!isDryRun(request)) {
            sideEffects.written(type, store.delete(resource, present));
        }
        return new ServerResponse.Answer(200, deleted(type, present));
    }

    private static Preconditions preconditions(@Nullable JsonElement body) {
        if (body instanceof JsonObject options && options.get("preconditions") instanceof JsonObject demanded) {
            return new Preconditions(Metadata.string(demanded, "uid"), Metadata.string(demanded, "resourceVersion"));
        }
        return Preconditions.NONE;
    }

    private static JsonObject deleted(ApiResource type, JsonObject object) {
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

    private static JsonObject withField(JsonObject object, String field, @Nullable JsonElement value) {
        if (value == null) {
            object.remove(field);
        } else {
            object.add(field, value);
        }
        return object;
    }

    private static void checkName(RequestPath path, JsonObject object) {
        String name = Metadata.name(object);
        if (name.isEmpty()) {
            throw ApiFailure.badRequest("the name of the object (" + path.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(path.name())) {
            throw ApiFailure.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + path.name() + ")");
        }
    }

    private static boolean isDryRun(ApiServerRequest request) {
        return "All".equals(request.query().get("dryRun"))
                || (request.body() instanceof JsonObject options
                        && options.get("dryRun") instanceof JsonArray values
                        && values.contains(new JsonPrimitive("All")));
    }
}
