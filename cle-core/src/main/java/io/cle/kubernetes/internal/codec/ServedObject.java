package io.cle.kubernetes.internal.codec;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * An object as an API server serves it, and what every object has, read once.
 *
 * @param key its namespace and name
 * @param version its resourceVersion; {@code null} if it has none
 * @param metadata the fields of its metadata
 * @param json the whole object
 */
public record ServedObject(ObjectKey key, @Nullable String version, Fields metadata, JsonObject json) {

    /**
     * Reads the metadata, whether or not the rest of the object can be decoded.
     *
     * @throws MalformedObjectException if it has no namespace or no name, or one of these or the version is no text
     */
    public static ServedObject of(JsonObject json) throws MalformedObjectException {
        Fields metadata = Fields.of(json).child("metadata");
        ObjectKey key = new ObjectKey(metadata.requiredString("namespace"), metadata.requiredString("name"));
        return new ServedObject(key, metadata.string("resourceVersion"), metadata, json);
    }

    /** The fields of its spec. */
    public Fields spec() throws MalformedObjectException {
        return Fields.of(json).child("spec");
    }
}
