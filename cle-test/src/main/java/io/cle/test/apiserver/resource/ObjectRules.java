package io.cle.test.apiserver.resource;

import java.util.List;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/** Decodes and validates the objects of a kind. */
public interface ObjectRules {

    /** Accepts anything as is. */
    ObjectRules NONE = new ObjectRules() {};

    /**
     * Decodes an object: drops unknown fields, normalizes values, fills in defaults.
     *
     * @param object the object as received, changed in place
     * @return the paths of unknown fields that it has dropped, if the kind reports them
     * @throws ApiFailure 400 when a field has a wrong type
     */
    default List<String> decode(JsonObject object) {
        return List.of();
    }

    /**
     * Validates an object.
     *
     * @param object the object, decoded
     * @param present the object that it replaces, null for a new one
     * @param causes the list to add errors to
     */
    default void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {}
}
