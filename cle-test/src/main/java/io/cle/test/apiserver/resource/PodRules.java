package io.cle.test.apiserver.resource;

import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/** Pods: they must have containers, and begin as {@code Pending}. */
final class PodRules implements ObjectRules {

    private static final ObjectRules BEGINNING = new InitialPhase("Pending");

    @Override
    public void decode(JsonObject object) {
        BEGINNING.decode(object);
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        if (!(object.getAsJsonObject("spec").get("containers") instanceof JsonArray containers)
                || containers.isEmpty()) {
            causes.add(StatusCause.required("spec.containers", ""));
        }
    }
}
