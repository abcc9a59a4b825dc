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
import org.jspecify.annotations.Nullable;

/**
 * One kind of object of the model in one wire format. Pure.
 *
 * @param <T> the kind of object
 */
public interface JsonCodec<T> {

    /** As what it is stored. */
    ResourceType resource();

    /**
     * Decodes an object; empty if it has nothing to do with leader election, such as an Endpoints object without a record.
     *
     * @throws MalformedObjectException when it can't be understood
     */
    Optional<T> decode(Fields object) throws MalformedObjectException;

    /** The lease that an object of another kind names, also if the object is malformed; {@code null} if none can be understood. */
    default @Nullable ObjectKey leaseNamedBy(Fields object) {
        return null;
    }

    /**
     * Decodes an object that is stored, and so has a version. One without is malformed, because it could not be compared with another.
     *
     * @throws MalformedObjectException when it can't be understood
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

    /** What of a write isn't stored as it was written, for a person; empty if that doesn't matter for this kind of object. */
    default List<String> changes(JsonObject written, JsonObject stored) {
        return List.of();
    }

    /** The new object that a merge patch creates: its name, and what the patch sets. */
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
