package io.cle.test.apiserver.memory;

import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.Ages;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.resource.PrinterColumn;
import io.cle.test.apiserver.store.Metadata;

/** Renders objects as the {@code Table} that {@code kubectl get} prints. */
final class Tables {

    private Tables() {}

    static JsonObject of(
            ApiResource type, List<JsonObject> objects, String resourceVersion, Ages ages, boolean wholeObjects) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", resourceVersion);
        JsonArray rows = new JsonArray();
        objects.forEach(object -> rows.add(row(type, object, ages, wholeObjects)));
        JsonObject table = new JsonObject();
        table.addProperty("kind", "Table");
        table.addProperty("apiVersion", "meta.k8s.io/v1");
        table.add("metadata", metadata);
        table.add("columnDefinitions", definitions(type));
        table.add("rows", rows);
        return table;
    }

    /** The table of one object. */
    static JsonObject of(ApiResource type, JsonObject object, Ages ages, boolean wholeObject) {
        String resourceVersion = Metadata.resourceVersion(object);
        return of(type, List.of(object), resourceVersion == null ? "" : resourceVersion, ages, wholeObject);
    }

    private static JsonArray definitions(ApiResource type) {
        JsonArray definitions = new JsonArray();
        for (PrinterColumn column : type.columns()) {
            JsonObject definition = new JsonObject();
            definition.addProperty("name", column.name());
            definition.addProperty("type", column.type());
            definition.addProperty("format", column.name().equals("Name") ? "name" : "");
            definition.addProperty("description", "");
            definition.addProperty("priority", column.priority());
            definitions.add(definition);
        }
        return definitions;
    }

    private static JsonObject row(ApiResource type, JsonObject object, Ages ages, boolean wholeObject) {
        JsonArray cells = new JsonArray();
        type.columns().forEach(column -> cells.add(column.value().apply(object, ages)));
        JsonObject row = new JsonObject();
        row.add("cells", cells);
        row.add("object", wholeObject ? object : partial(object));
        return row;
    }

    private static JsonObject partial(JsonObject object) {
        JsonObject partial = new JsonObject();
        partial.addProperty("kind", "PartialObjectMetadata");
        partial.addProperty("apiVersion", "meta.k8s.io/v1");
        JsonElement metadata = object.get("metadata");
        if (metadata != null) {
            partial.add("metadata", metadata);
        }
        return partial;
    }
}
