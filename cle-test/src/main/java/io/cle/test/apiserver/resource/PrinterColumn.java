package io.cle.test.apiserver.resource;

import java.util.function.BiFunction;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.store.Metadata;

/**
 * A column of {@code kubectl get}.
 *
 * @param name the heading
 * @param type its JSON type, {@code date} for an age
 * @param priority 0 for always, more for {@code -o wide}
 * @param value the cell of an object
 */
public record PrinterColumn(String name, String type, int priority, BiFunction<JsonObject, Ages, JsonElement> value) {

    /** The object's name. */
    public static final PrinterColumn NAME =
            new PrinterColumn("Name", "string", 0, (object, ages) -> new JsonPrimitive(Metadata.name(object)));

    /** How long the object has existed. */
    public static final PrinterColumn AGE = age("Age", "metadata.creationTimestamp");

    /** The value at a path. */
    public static PrinterColumn field(String name, String type, String path) {
        return field(name, type, 0, path);
    }

    /** The value at a path, with a priority. */
    public static PrinterColumn field(String name, String type, int priority, String path) {
        return new PrinterColumn(name, type, priority, (object, ages) -> {
            JsonElement value = Metadata.at(object, path);
            return value == null ? JsonNull.INSTANCE : value;
        });
    }

    /** A field of the condition of the given type, in the list at a path. */
    static PrinterColumn condition(String name, int priority, String path, String type, String field) {
        return new PrinterColumn(name, "string", priority, (object, ages) -> {
            if (Metadata.at(object, path) instanceof JsonArray conditions) {
                for (JsonElement element : conditions) {
                    if (element instanceof JsonObject condition && type.equals(Metadata.string(condition, "type"))) {
                        return condition.has(field) ? condition.get(field) : JsonNull.INSTANCE;
                    }
                }
            }
            return JsonNull.INSTANCE;
        });
    }

    /** How long ago the time at a path was. */
    public static PrinterColumn age(String name, String path) {
        return new PrinterColumn(name, "string", 0, (object, ages) -> {
            JsonElement value = Metadata.at(object, path);
            return new JsonPrimitive(
                    value != null && value.isJsonPrimitive() ? ages.since(value.getAsString()) : "<unknown>");
        });
    }

    /** The number of entries at a path. */
    public static PrinterColumn count(String name, String path) {
        return new PrinterColumn(name, "string", 0, (object, ages) -> {
            JsonElement value = Metadata.at(object, path);
            return new JsonPrimitive(value instanceof JsonObject map ? map.size() : 0);
        });
    }
}
