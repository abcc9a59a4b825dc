package io.cle.test.apiserver.store;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code metadata} of an object's JSON. */
public final class Metadata {

    private static final JsonObject EMPTY = new JsonObject();

    private Metadata() {}

    /** The object's metadata; an empty object, not to be changed, when it has none. */
    public static JsonObject of(JsonObject object) {
        return child(object, "metadata");
    }

    /** The object's metadata, created when it has none. */
    public static JsonObject ensure(JsonObject object) {
        if (object.get("metadata") instanceof JsonObject metadata) {
            return metadata;
        }
        JsonObject metadata = new JsonObject();
        object.add("metadata", metadata);
        return metadata;
    }

    /** The object's name, empty when it has none. */
    public static String name(JsonObject object) {
        return text(of(object), "name");
    }

    /** The object's namespace, empty when it has none. */
    public static String namespace(JsonObject object) {
        return text(of(object), "namespace");
    }

    /** The object's uid, null when it has none. */
    public static @Nullable String uid(JsonObject object) {
        return string(of(object), "uid");
    }

    /** The object's resourceVersion, null when it has none or an empty one. */
    public static @Nullable String resourceVersion(JsonObject object) {
        String version = string(of(object), "resourceVersion");
        return version == null || version.isEmpty() || version.equals("0") ? null : version;
    }

    /** The object's resourceVersion as a number, 0 when it has none. */
    public static long version(JsonObject object) {
        String version = resourceVersion(object);
        return version == null ? 0 : Long.parseLong(version);
    }

    /** The labels; an empty object, not to be changed, when there are none. */
    public static JsonObject labels(JsonObject object) {
        return child(of(object), "labels");
    }

    /** The object at a field, such as {@code spec}; an empty one, not to be changed, when there is none. */
    public static JsonObject child(JsonObject object, String field) {
        return object.get(field) instanceof JsonObject child ? child : EMPTY;
    }

    /** The field as a string, empty when it's missing or not a string. */
    public static String text(JsonObject object, String field) {
        String text = string(object, field);
        return text == null ? "" : text;
    }

    /** The field as a string, null when it's missing or not a string. */
    public static @Nullable String string(JsonObject object, String field) {
        JsonElement value = object.get(field);
        return value != null
                        && value.isJsonPrimitive()
                        && value.getAsJsonPrimitive().isString()
                ? value.getAsString()
                : null;
    }

    /** The value at a path such as {@code spec.nodeName}; null if there is none. */
    public static @Nullable JsonElement at(JsonObject object, String path) {
        return at(object, path.split("\\."));
    }

    static @Nullable JsonElement at(JsonObject object, String[] path) {
        JsonElement value = object;
        for (String field : path) {
            if (!(value instanceof JsonObject parent)) {
                return null;
            }
            value = parent.get(field);
        }
        return value == null || value.isJsonNull() ? null : value;
    }
}
