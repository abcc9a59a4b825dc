package io.cle.kubernetes.internal.watch;

import java.util.Map;
import java.util.Optional;

import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The objects to watch: all or some objects of one kind.
 *
 * @param codec decodes the objects
 * @param namespace the namespace; {@code null} for all
 * @param name the name of the only object; {@code null} for all
 * @param selectors the query parameters that select objects, in lists and watches
 * @param optional whether the API server might not serve this kind of object
 * @param largest the maximum number of characters of an object
 * @param <T> the kind of object in the model
 */
public record WatchedKind<T>(
        JsonCodec<T> codec,
        @Nullable String namespace,
        @Nullable String name,
        Map<String, String> selectors,
        boolean optional,
        long largest) {

    /** The query parameter that selects objects by their fields. */
    public static final String FIELDS = "fieldSelector";

    private static final String LABELS = "labelSelector";

    /** Selects one object. */
    public static <T> WatchedKind<T> one(JsonCodec<T> codec, ObjectKey key) {
        return new WatchedKind<>(
                codec,
                key.namespace(),
                key.name(),
                Map.of(FIELDS, "metadata.name=" + key.name()),
                false,
                Long.MAX_VALUE);
    }

    /** Selects all objects that match the selectors. */
    public static <T> WatchedKind<T> all(JsonCodec<T> codec, Map<String, String> selectors) {
        return new WatchedKind<>(codec, null, null, selectors, false, Long.MAX_VALUE);
    }

    /** Selects the objects with the given label. */
    public static <T> WatchedKind<T> labelled(JsonCodec<T> codec, String label, String value) {
        return all(codec, Map.of(LABELS, label + "=" + value));
    }

    /** Selects the objects that have a label, whatever its value. */
    public static <T> WatchedKind<T> labelled(JsonCodec<T> codec, String label) {
        return all(codec, Map.of(LABELS, label));
    }

    /** Returns this as a kind that the API server might not serve. */
    public WatchedKind<T> asOptional() {
        return new WatchedKind<>(codec, namespace, name, selectors, true, largest);
    }

    /** Returns these objects in one namespace. */
    public WatchedKind<T> in(String onlyNamespace) {
        return new WatchedKind<>(codec, onlyNamespace, name, selectors, optional, largest);
    }

    /**
     * Returns this kind with a limit on the size of objects. A larger object is treated as malformed, and nothing of it is kept
     * (protocol.md#requests-and-limits).
     */
    public WatchedKind<T> upTo(long characters) {
        return new WatchedKind<>(codec, namespace, name, selectors, optional, characters);
    }

    /** Returns whether the objects have a label in common. */
    public boolean byLabel() {
        return selectors.containsKey(LABELS);
    }

    /** Returns whether an object is one of these. Checked because servers might not support every selector. */
    public boolean covers(ObjectKey key) {
        return (namespace == null || namespace.equals(key.namespace())) && (name == null || name.equals(key.name()));
    }

    /** Decodes a stored object. Checks the size only of objects that are related to leader election. */
    public Optional<T> decode(Fields object) throws MalformedObjectException {
        Optional<T> decoded = codec.decodeStored(object);
        long size = decoded.isEmpty() ? 0 : object.size();
        if (size > largest) {
            throw new MalformedObjectException(
                    "it has " + size + " characters, with its annotations and managed fields, and may have " + largest);
        }
        return decoded;
    }
}
