package io.cle.test.apiserver.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.resource.MetadataRules;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/** Decodes and validates the body of a request. */
final class IncomingObject {

    private static final Set<String> SERVERS_OWN = Set.of("managedFields", "selfLink");

    private IncomingObject() {}

    /**
     * Returns a decoded copy of the body, in the namespace of the request.
     *
     * @throws ApiFailure 400 if it isn't an object of the kind
     */
    static JsonObject read(ApiResource type, RequestPath path, ApiServerRequest request) {
        if (!(request.body() instanceof JsonObject body)) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + type.kind()
                    + "): couldn't get version/kind; json parse error: " + request.body());
        }
        checkKind(type, body);
        JsonObject object = body.deepCopy();
        List<String> unknown = normalize(type, object);
        if (!unknown.isEmpty() && "Strict".equals(request.query().get("fieldValidation"))) {
            throw ApiFailure.badRequest(
                    "%1$s in version \"%2$s\" cannot be handled as a %1$s: strict decoding error: %3$s"
                            .formatted(
                                    type.kind(),
                                    type.version(),
                                    "unknown field \"" + String.join("\", unknown field \"", unknown) + "\""));
        }
        String namespace = Metadata.namespace(object);
        String requested = path.objectNamespace();
        if (!namespace.isEmpty() && !namespace.equals(requested)) {
            throw ApiFailure.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (!requested.isEmpty()) {
            Metadata.ensure(object).addProperty("namespace", requested);
        }
        return object;
    }

    /**
     * Converts an object in place, such as a patched copy, into its stored form.
     *
     * @return the paths of unknown fields, which are dropped
     */
    static List<String> normalize(ApiResource type, JsonObject object) {
        object.addProperty("apiVersion", type.apiVersion());
        object.addProperty("kind", type.kind());
        JsonObject metadata = Metadata.ensure(object);
        metadata.asMap().entrySet().removeIf(field -> isVoid(field.getKey(), field.getValue()));
        return type.rules().decode(object);
    }

    /** Throws 422 with all errors. */
    static void validate(ApiResource type, JsonObject object, @Nullable JsonObject present) {
        List<StatusCause> causes = new ArrayList<>(0);
        if (present == null || isRelabelled(object, present)) {
            MetadataRules.validate(object, type.nameForm(), causes);
        }
        type.rules().validate(object, present, causes);
        if (!causes.isEmpty()) {
            throw ApiFailure.invalid(type.group(), type.kind(), Metadata.name(object), causes);
        }
    }

    private static boolean isRelabelled(JsonObject object, JsonObject present) {
        JsonObject metadata = Metadata.of(object);
        JsonObject before = Metadata.of(present);
        return !Objects.equals(metadata.get("labels"), before.get("labels"))
                || !Metadata.child(metadata, "annotations")
                        .keySet()
                        .equals(Metadata.child(before, "annotations").keySet());
    }

    private static void checkKind(ApiResource type, JsonObject body) {
        String kind = Metadata.string(body, "kind");
        String apiVersion = Metadata.string(body, "apiVersion");
        if (type.custom() && (kind == null || apiVersion == null)) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + type.kind()
                    + "): Object '" + (kind == null ? "Kind" : "apiVersion") + "' is missing in '" + body + "'");
        }
        boolean sameKind = kind == null || kind.equals(type.kind());
        boolean sameVersion = apiVersion == null || apiVersion.equals(type.apiVersion());
        if (!sameKind || !sameVersion) {
            throw ApiFailure.badRequest(kind + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": no kind \"" + kind + "\" is registered for version \""
                    + (apiVersion == null ? type.apiVersion() : apiVersion) + "\"");
        }
    }

    private static boolean isVoid(String field, JsonElement value) {
        return SERVERS_OWN.contains(field) || value.isJsonNull() || (value instanceof JsonObject map && map.isEmpty());
    }
}
