package io.cle.test.apiserver.memory;

import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** JSON merge patches (RFC 7386) and what Kubernetes' strategic ones add for the kinds served here. */
final class MergePatch {

    private MergePatch() {}

    /** Changes {@code target} in place: null takes a field away, objects are merged, all else replaces. */
    static void apply(JsonObject target, JsonObject patch) {
        for (Map.Entry<String, JsonElement> field : patch.entrySet()) {
            JsonElement value = field.getValue();
            if (value.isJsonNull()) {
                target.remove(field.getKey());
            } else if (value instanceof JsonObject nested) {
                if (!(target.get(field.getKey()) instanceof JsonObject)) {
                    target.add(field.getKey(), new JsonObject());
                }
                apply(target.getAsJsonObject(field.getKey()), nested);
            } else {
                target.add(field.getKey(), value.deepCopy());
            }
        }
    }

    /**
     * Changes {@code target} in place by a strategic merge patch: as a merge patch, but owner references are merged by uid,
     * finalizers by value, and directives are obeyed rather than stored.
     */
    static void applyStrategic(JsonObject target, JsonObject patch) {
        JsonObject plain = patch.deepCopy();
        if (plain.get("metadata") instanceof JsonObject change) {
            JsonObject metadata = target.getAsJsonObject("metadata");
            mergeList(metadata, change, "ownerReferences", "uid");
            mergeList(metadata, change, "finalizers", "");
        }
        dropDirectives(plain);
        apply(target, plain);
    }

    private static void mergeList(JsonObject target, JsonObject change, String field, String key) {
        String deletions = "$deleteFromPrimitiveList/" + field;
        if (!(change.get(field) instanceof JsonArray) && !change.has(deletions)) {
            return;
        }
        JsonArray merged = target.get(field) instanceof JsonArray present ? present.deepCopy() : new JsonArray();
        if (change.remove(deletions) instanceof JsonArray gone) {
            gone.forEach(merged::remove);
        }
        if (change.remove(field) instanceof JsonArray entries) {
            for (JsonElement entry : entries) {
                mergeEntry(merged, entry, key);
            }
        }
        target.add(field, merged);
    }

    private static void mergeEntry(JsonArray merged, JsonElement entry, String key) {
        if (!(entry instanceof JsonObject object)) {
            if (!merged.contains(entry)) {
                merged.add(entry);
            }
            return;
        }
        boolean deletes =
                object.has("$patch") && object.get("$patch").getAsString().equals("delete");
        for (int i = 0; i < merged.size(); i++) {
            if (merged.get(i) instanceof JsonObject present && present.get(key).equals(object.get(key))) {
                if (deletes) {
                    merged.remove(i);
                } else {
                    apply(present, object);
                }
                return;
            }
        }
        if (!deletes) {
            merged.add(object.deepCopy());
        }
    }

    private static void dropDirectives(JsonObject patch) {
        patch.asMap().keySet().removeIf(field -> field.startsWith("$"));
        patch.asMap().values().forEach(value -> {
            if (value instanceof JsonObject nested) {
                dropDirectives(nested);
            }
        });
    }
}
