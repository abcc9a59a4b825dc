package io.cle.kubernetes.internal.codec;

import java.util.List;
import java.util.Optional;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ResourceVersions;

/**
 * Converts one kind of object of the model to and from one wire format. Pure.
 *
 * @param <T> the kind of object
 */
public interface JsonCodec<T> {

    /** Returns the resource type under which it is stored. */
    ResourceType resource();

    /**
     * Decodes an object; empty if it isn't related to leader election, for example an Endpoints object without a record.
     *
     * @throws MalformedObjectException if it can't be decoded
     */
    Optional<T> decode(Fields object) throws MalformedObjectException;

    /**
     * Decodes a stored object, which must have a resourceVersion. An object without one is malformed, because it can't be compared with
     * others.
     *
     * @throws MalformedObjectException if it can't be decoded
     */
    default Optional<T> decodeStored(Fields object) throws MalformedObjectException {
        String version = object.resourceVersion();
        if (!ResourceVersions.isNumber(version)) {
            throw new MalformedObjectException(
                    "metadata.resourceVersion must be a decimal number without leading zeros and is "
                            + (version == null ? "missing" : "'" + Json.excerpt(version) + "'"));
        }
        return decode(object);
    }

    /** Returns the fields that aren't stored as they were written; empty if that doesn't matter for this kind of object. */
    default List<String> changes(JsonObject written, JsonObject stored) {
        return List.of();
    }

    /** Returns the new object that a merge patch creates: its name and the fields of the patch. */
    default JsonObject created(ObjectKey key, JsonObject patch) {
        JsonObject object = Json.withoutNulls(patch);
        object.addProperty("apiVersion", resource().apiVersion());
        object.addProperty("kind", resource().kind());
        JsonObject metadata = object.getAsJsonObject("metadata");
        metadata.addProperty("name", key.name());
        metadata.addProperty("namespace", key.namespace());
        return object;
    }
}
