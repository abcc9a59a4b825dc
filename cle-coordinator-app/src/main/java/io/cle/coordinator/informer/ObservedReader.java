package io.cle.coordinator.informer;

import java.util.Optional;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.api.WatchEvent;
import io.cle.kubernetes.WatchedKind;
import io.cle.model.ObjectKey;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Watch;
import org.jspecify.annotations.Nullable;

/**
 * Makes what an informer keeps of what an API server sends. Fields that nobody here knows of are passed over. Pure.
 *
 * @param <T> the kind of object in the model
 * @param <O> the same as the informer keeps it
 */
final class ObservedReader<T, O extends Observed<T>> {

    private final WatchedKind<T> kind;
    private final Observed.Factory<T, O> factory;

    ObservedReader(WatchedKind<T> kind, Observed.Factory<T, O> factory) {
        this.kind = kind;
        this.factory = factory;
    }

    WatchedKind<T> kind() {
        return kind;
    }

    /** The version of an object or a list; empty when it has none. */
    static Optional<String> versionOf(JsonObject object) {
        return Optional.ofNullable(text(metadataOf(object), "resourceVersion")).filter(version -> !version.isEmpty());
    }

    /** An object of a list; empty when it is of no interest. */
    Optional<O> listed(JsonObject object, Listing listing) {
        V1ObjectMeta metadata = metadata(object);
        if (metadata == null) {
            return Optional.empty();
        }
        return kind.read(key(metadata), object).map(event -> {
            listing.add();
            return factory.of(metadata, found(event), listing);
        });
    }

    /** An event of a watch; empty when it is of no interest. */
    Optional<Watch.Response<O>> watched(JsonObject event) {
        String type = text(event, "type");
        if (type == null || !(event.get("object") instanceof JsonObject object)) {
            return Optional.empty();
        }
        return switch (type) {
            case "ADDED", "MODIFIED" -> changed(type, object);
            case "DELETED" -> Optional.ofNullable(metadata(object)).map(this::deleted);
            case "BOOKMARK" ->
                versionOf(object)
                        .map(version -> new Watch.Response<>(
                                type, factory.of(new V1ObjectMeta().resourceVersion(version), null, null)));
            case "ERROR" -> Optional.of(new Watch.Response<>(type, status(object)));
            default -> Optional.empty();
        };
    }

    /** A change; of an object that has become of no interest, that it is gone. */
    private Optional<Watch.Response<O>> changed(String type, JsonObject object) {
        V1ObjectMeta metadata = metadata(object);
        if (metadata == null) {
            return Optional.empty();
        }
        return Optional.of(kind.read(key(metadata), object)
                .map(event -> new Watch.Response<>(type, factory.of(metadata, event, null)))
                .orElseGet(() -> deleted(metadata)));
    }

    private Watch.Response<O> deleted(V1ObjectMeta metadata) {
        return new Watch.Response<>("DELETED", factory.of(metadata, null, null));
    }

    /** What was in a list has been so for who knows how long: a candidate found there isn't one that has just renewed. */
    private static <T> WatchEvent<T> found(WatchEvent<T> event) {
        return event instanceof WatchEvent.Changed<T> changed ? new WatchEvent.Found<>(changed.object()) : event;
    }

    private static V1Status status(JsonObject object) {
        String code = text(object, "code");
        boolean number = code != null && code.matches("\\d{3}");
        return new V1Status()
                .code(number ? Integer.valueOf(code) : Integer.valueOf(0))
                .message(text(object, "message"));
    }

    private static @Nullable V1ObjectMeta metadata(JsonObject object) {
        JsonObject metadata = metadataOf(object);
        String namespace = text(metadata, "namespace");
        String name = text(metadata, "name");
        if (namespace == null || namespace.isEmpty() || name == null || name.isEmpty()) {
            return null;
        }
        return new V1ObjectMeta()
                .namespace(namespace)
                .name(name)
                .resourceVersion(versionOf(object).orElse(""));
    }

    private static ObjectKey key(V1ObjectMeta metadata) {
        return new ObjectKey(String.valueOf(metadata.getNamespace()), String.valueOf(metadata.getName()));
    }

    private static JsonObject metadataOf(JsonObject object) {
        return object.get("metadata") instanceof JsonObject metadata ? metadata : new JsonObject();
    }

    private static @Nullable String text(JsonObject object, String name) {
        JsonElement value = object.get(name);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : null;
    }
}
