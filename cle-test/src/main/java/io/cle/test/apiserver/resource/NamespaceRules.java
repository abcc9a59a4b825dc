package io.cle.test.apiserver.resource;

import com.google.gson.JsonObject;

/** Namespaces: they are active from the start. */
final class NamespaceRules implements ObjectRules {

    @Override
    public void decode(JsonObject object) {
        if (!(object.get("spec") instanceof JsonObject)) {
            object.add("spec", new JsonObject());
        }
        if (!(object.get("status") instanceof JsonObject)) {
            JsonObject status = new JsonObject();
            status.addProperty("phase", "Active");
            object.add("status", status);
        }
    }
}
