package io.cle.test.apiserver.patch;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import org.jspecify.annotations.Nullable;

/** JSON patches (RFC 6902): a list of operations, all of which must succeed. */
public final class JsonPatch {

    private JsonPatch() {}

    /**
     * Carries out the operations, one after the other.
     *
     * @param target changed in place
     * @throws ApiFailure 422 when one of them can't be carried out or tests for what isn't so
     */
    public static void apply(JsonObject target, JsonArray patch) {
        for (JsonElement element : patch) {
            if (!(element instanceof JsonObject operation)) {
                throw ApiFailure.badRequest("a JSON patch is a list of operations, not of " + element);
            }
            apply(target, operation);
        }
    }

    private static void apply(JsonObject target, JsonObject operation) {
        List<String> path = pointer(operation, "path");
        switch (text(operation, "op")) {
            case "add" -> put(target, path, value(operation), true);
            case "replace" -> {
                require(find(target, path));
                put(target, path, value(operation), false);
            }
            case "remove" -> remove(target, path);
            case "test" -> {
                if (!value(operation).equals(find(target, path))) {
                    throw ApiFailure.unprocessable();
                }
            }
            case "copy" ->
                put(
                        target,
                        path,
                        require(find(target, pointer(operation, "from"))).deepCopy(),
                        true);
            case "move" -> {
                List<String> from = pointer(operation, "from");
                JsonElement moved = require(find(target, from));
                remove(target, from);
                put(target, path, moved, true);
            }
            default -> throw ApiFailure.badRequest("unknown operation in a JSON patch: " + operation);
        }
    }

    private static void put(JsonObject target, List<String> path, JsonElement value, boolean insert) {
        JsonElement parent = parentOf(target, path);
        String last = path.get(path.size() - 1);
        if (parent instanceof JsonObject object) {
            object.add(last, value);
        } else {
            JsonArray array = require(parent).getAsJsonArray();
            int index = last.equals("-") ? array.size() : index(last, array.size());
            if (insert) {
                List<JsonElement> items = array.asList();
                items.add(index, value);
            } else {
                array.set(index, value);
            }
        }
    }

    private static void remove(JsonObject target, List<String> path) {
        JsonElement parent = parentOf(target, path);
        String last = path.get(path.size() - 1);
        if (parent instanceof JsonObject object) {
            require(object.remove(last));
        } else {
            JsonArray array = require(parent).getAsJsonArray();
            array.remove(index(last, array.size() - 1));
        }
    }

    private static @Nullable JsonElement parentOf(JsonObject target, List<String> path) {
        if (path.isEmpty()) {
            throw ApiFailure.unprocessable();
        }
        JsonElement parent = find(target, path.subList(0, path.size() - 1));
        if (parent == null || parent.isJsonPrimitive()) {
            throw ApiFailure.unprocessable();
        }
        return parent;
    }

    private static @Nullable JsonElement find(JsonElement target, List<String> path) {
        JsonElement found = target;
        for (String part : path) {
            if (found instanceof JsonObject object) {
                found = object.get(part);
            } else if (found instanceof JsonArray array) {
                found = array.get(index(part, array.size() - 1));
            } else {
                return null;
            }
        }
        return found;
    }

    private static int index(String part, int largest) {
        try {
            int index = Integer.parseInt(part);
            if (index >= 0 && index <= largest) {
                return index;
            }
        } catch (NumberFormatException e) {
            throw ApiFailure.unprocessable();
        }
        throw ApiFailure.unprocessable();
    }

    private static List<String> pointer(JsonObject operation, String field) {
        List<String> path = new ArrayList<>();
        String pointer = text(operation, field);
        for (String part :
                pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/", -1)) {
            path.add(part.replace("~1", "/").replace("~0", "~"));
        }
        return path;
    }

    private static JsonElement value(JsonObject operation) {
        return require(operation.get("value")).deepCopy();
    }

    private static String text(JsonObject operation, String field) {
        JsonElement value = operation.get(field);
        if (value == null || !value.isJsonPrimitive()) {
            throw ApiFailure.badRequest("an operation of a JSON patch lacks '" + field + "': " + operation);
        }
        return value.getAsString();
    }

    private static JsonElement require(@Nullable JsonElement element) {
        if (element == null) {
            throw ApiFailure.unprocessable();
        }
        return element;
    }
}
