package io.cle.test.apiserver.resource;

import java.util.List;

import com.google.gson.JsonObject;

/**
 * Sets {@code status.phase} of objects without status.
 *
 * @param phase the initial phase, such as {@code Active}
 */
record InitialPhase(String phase) implements ObjectRules {

    @Override
    public List<String> decode(JsonObject object) {
        if (!(object.get("spec") instanceof JsonObject)) {
            object.add("spec", new JsonObject());
        }
        if (!(object.get("status") instanceof JsonObject)) {
            JsonObject status = new JsonObject();
            status.addProperty("phase", phase);
            object.add("status", status);
        }
        return List.of();
    }
}
