package io.cle.test.apiserver.resource;

import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Events of {@code events.k8s.io/v1}: the same objects as the core group's, with some fields under other names. */
final class NewEventRules implements ObjectRules {

    private static final Map<String, String> CORE_NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    @Override
    public void toStored(JsonObject object) {
        CORE_NAMES.forEach((name, coreName) -> rename(object, name, coreName));
        object.addProperty("apiVersion", "v1");
    }

    @Override
    public JsonObject fromStored(JsonObject stored) {
        JsonObject object = stored.deepCopy();
        CORE_NAMES.forEach((name, coreName) -> rename(object, coreName, name));
        object.addProperty("apiVersion", "events.k8s.io/v1");
        return object;
    }

    private static void rename(JsonObject object, String from, String to) {
        JsonElement value = object.remove(from);
        if (value != null) {
            object.add(to, value);
        }
    }
}
