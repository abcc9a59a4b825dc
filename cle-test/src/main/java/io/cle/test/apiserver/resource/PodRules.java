package io.cle.test.apiserver.resource;

import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/** Pods: they must have containers, and begin as {@code Pending}. */
final class PodRules implements ObjectRules {

    @Override
    public void decode(JsonObject object) {
        if (!(object.get("spec") instanceof JsonObject)) {
            object.add("spec", new JsonObject());
        }
        if (!(object.get("status") instanceof JsonObject)) {
            JsonObject status = new JsonObject();
            status.addProperty("phase", "Pending");
            object.add("status", status);
        }
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        if (!(object.getAsJsonObject("spec").get("containers") instanceof JsonArray containers)
                || containers.isEmpty()) {
            causes.add(StatusCause.required("spec.containers", ""));
        }
    }
}
