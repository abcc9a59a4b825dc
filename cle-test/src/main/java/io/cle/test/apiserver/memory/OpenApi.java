package io.cle.test.apiserver.memory;

import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ResourceCatalog;
import io.cle.test.apiserver.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * As much of {@code /openapi/v3} as {@code kubectl create}, {@code apply} and {@code edit} read before they write: that
 * every kind takes the parameters {@code fieldValidation} and {@code dryRun}. Fields are left to the server's validation.
 */
final class OpenApi {

    private static final String ROOT = "/openapi/v3";

    private final ResourceCatalog catalog;

    OpenApi(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    /** The document at a path, null when there is none. */
    @Nullable
    JsonObject at(String path) {
        if (path.equals(ROOT)) {
            return index();
        }
        JsonObject paths = new JsonObject();
        for (ResourceType type : catalog.all()) {
            if (path.equals(ROOT + "/" + address(type))) {
                paths.add("/" + address(type) + "/" + where(type) + type.plural() + "/{name}", operations(type));
            }
        }
        return paths.isEmpty() ? null : document(paths);
    }

    private JsonObject index() {
        JsonObject paths = new JsonObject();
        for (ResourceType type : catalog.all()) {
            JsonObject location = new JsonObject();
            location.addProperty("serverRelativeURL", ROOT + "/" + address(type));
            paths.add(address(type), location);
        }
        JsonObject index = new JsonObject();
        index.add("paths", paths);
        return index;
    }

    private static JsonObject operations(ResourceType type) {
        JsonArray parameters = new JsonArray();
        parameters.add(parameter("dryRun"));
        parameters.add(parameter("fieldValidation"));
        JsonObject kind = object(Map.of("group", type.group(), "version", type.version(), "kind", type.kind()));
        JsonObject patch = object(Map.of("x-kubernetes-action", "patch"));
        patch.add("parameters", parameters);
        patch.add("x-kubernetes-group-version-kind", kind);
        patch.add("responses", new JsonObject());
        JsonObject operations = new JsonObject();
        operations.add("patch", patch);
        return operations;
    }

    private static JsonObject parameter(String name) {
        JsonObject parameter = object(Map.of("name", name, "in", "query"));
        parameter.add("schema", object(Map.of("type", "string")));
        return parameter;
    }

    private static JsonObject document(JsonObject paths) {
        JsonObject components = new JsonObject();
        components.add("schemas", new JsonObject());
        JsonObject document = object(Map.of("openapi", "3.0.0"));
        document.add("info", object(Map.of("title", "Kubernetes", "version", "embedded")));
        document.add("paths", paths);
        document.add("components", components);
        return document;
    }

    private static String address(ResourceType type) {
        return type.group().isEmpty() ? "api/v1" : "apis/" + type.apiVersion();
    }

    private static String where(ResourceType type) {
        return type.namespaced() ? "namespaces/{namespace}/" : "";
    }

    private static JsonObject object(Map<String, String> fields) {
        JsonObject object = new JsonObject();
        fields.forEach(object::addProperty);
        return object;
    }
}
