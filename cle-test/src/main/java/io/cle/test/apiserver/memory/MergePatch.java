package io.cle.test.apiserver.memory;

import java.util.LinkedHashMap;
import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.Metadata;

/** JSON merge patches (RFC 7386) and what Kubernetes' strategic ones add for the kinds served here. */
final class MergePatch {

    private MergePatch() {}

    /** Changes {@code target} in place: null removes a field, objects are merged, all else replaces. */
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
     * and directives are obeyed rather than stored.
     */
    static void applyStrategic(JsonObject target, JsonObject patch) {
        JsonObject plain = patch.deepCopy();
        if (plain.get("metadata") instanceof JsonObject change
                && change.get("ownerReferences") instanceof JsonArray entries) {
            change.add("ownerReferences", mergedOwners(target.getAsJsonObject("metadata"), entries));
        }
        dropDirectives(plain);
        apply(target, plain);
    }

    private static JsonArray mergedOwners(JsonObject metadata, JsonArray entries) {
        Map<String, JsonObject> owners = new LinkedHashMap<>();
        if (metadata.get("ownerReferences") instanceof JsonArray present) {
            present.forEach(
                    owner -> owners.put(uid(owner), owner.getAsJsonObject().deepCopy()));
        }
        for (JsonElement change : entries) {
            String uid = uid(change);
            if (Metadata.text(change.getAsJsonObject(), "$patch").equals("delete")) {
                owners.remove(uid);
            } else {
                apply(owners.computeIfAbsent(uid, unused -> new JsonObject()), change.getAsJsonObject());
            }
        }
        JsonArray merged = new JsonArray();
        owners.values().forEach(merged::add);
        return merged;
    }

    private static String uid(JsonElement owner) {
        if (owner instanceof JsonObject object) {
            return Metadata.text(object, "uid");
        }
        throw ApiFailure.badRequest("an owner reference is an object with a uid, not " + owner);
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
