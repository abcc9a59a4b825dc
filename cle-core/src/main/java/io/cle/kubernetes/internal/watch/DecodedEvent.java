package io.cle.kubernetes.internal.watch;

import java.util.Optional;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.ServedObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.model.ObjectKey;
import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event of a watch as far as it matters to a {@link Reflector}. It is made on the transport's thread, so that what waits for the event loop is
 * small: of an object only what the model has is kept, however large its annotations and managed fields are. Immutable.
 */
sealed interface DecodedEvent<T> {

    /**
     * An object was created or changed.
     *
     * @param object empty if it has nothing to do with leader election
     */
    record Changed<T>(ObjectKey key, @Nullable String version, Optional<T> object) implements DecodedEvent<T> {}

    /** An object was created or changed, and can't be decoded. */
    record Malformed<T>(@Nullable String version, WatchEvent.Malformed<T> event) implements DecodedEvent<T> {}

    /** An object was deleted. */
    record Deleted<T>(ObjectKey key, @Nullable String version) implements DecodedEvent<T> {}

    /** Everything up to a version has been sent. */
    record Bookmark<T>(@Nullable String version) implements DecodedEvent<T> {}

    /** The API server ends the watch. */
    record Failed<T>(int code, JsonObject status) implements DecodedEvent<T> {}

    /** An event of a type that this project doesn't know. */
    record Unknown<T>(String type) implements DecodedEvent<T> {}

    /** Nothing of the event can be understood, so that it isn't known which object has changed. */
    record Unreadable<T>(String problem) implements DecodedEvent<T> {}

    /** Decodes an event. */
    static <T> DecodedEvent<T> of(JsonCodec<T> codec, JsonObject event) {
        try {
            String type = Fields.of(event).requiredString("type");
            if (!(event.get("object") instanceof JsonObject object)) {
                throw new MalformedObjectException("an event without an object");
            }
            return switch (type) {
                case "ADDED", "MODIFIED" -> changed(codec, ServedObject.of(object));
                case "DELETED" -> deleted(ServedObject.of(object));
                case "BOOKMARK" ->
                    new Bookmark<>(Fields.of(object).child("metadata").string("resourceVersion"));
                case "ERROR" -> failed(object);
                default -> new Unknown<>(type);
            };
        } catch (MalformedObjectException e) {
            return new Unreadable<>(e.problem());
        }
    }

    private static <T> DecodedEvent<T> changed(JsonCodec<T> codec, ServedObject object) {
        try {
            return new Changed<>(object.key(), object.version(), codec.decodeStored(object));
        } catch (MalformedObjectException e) {
            return new Malformed<>(object.version(), malformed(codec, object, e));
        }
    }

    /** What a watcher gets of an object that can't be decoded. */
    static <T> WatchEvent.Malformed<T> malformed(
            JsonCodec<T> codec, ServedObject object, MalformedObjectException problem) {
        return new WatchEvent.Malformed<>(object.key(), codec.leaseNamedBy(object), problem.problem());
    }

    private static <T> DecodedEvent<T> deleted(ServedObject object) {
        return new Deleted<>(object.key(), object.version());
    }

    private static <T> DecodedEvent<T> failed(JsonObject status) throws MalformedObjectException {
        Integer code = Fields.of(status).integer("code", 0);
        return new Failed<>(code == null ? 0 : code, status);
    }
}
