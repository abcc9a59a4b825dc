package io.cle.test.apiserver.resource;

import java.util.List;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/** What a kind of object demands of its fields. */
public interface ObjectRules {

    /** Takes anything as it is. */
    ObjectRules NONE = new ObjectRules() {};

    /**
     * Reads what came: drops fields that the kind doesn't have, brings values into their usual form, fills in defaults.
     *
     * @param object the object as it came, changed in place
     * @return the paths of fields that it has dropped because the kind doesn't have them, where the kind can tell
     * @throws ApiFailure 400 when a field has a wrong type
     */
    default List<String> decode(JsonObject object) {
        return List.of();
    }

    /**
     * Finds what is wrong.
     *
     * @param object the object, decoded
     * @param present the object that it is to replace, null for a new one
     * @param causes where to add what is wrong
     */
    default void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {}
}
