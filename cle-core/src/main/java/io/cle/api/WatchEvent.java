package io.cle.api;

import java.time.Duration;
import java.util.List;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * What a watch tells.
 *
 * @param <T> the kind of object watched
 */
public sealed interface WatchEvent<T> {

    /** All objects there are; what isn't among them is gone. Comes first, and again when the watch had to begin anew. */
    record Snapshot<T>(List<T> objects) implements WatchEvent<T> {}

    /** An object was created or changed. */
    record Changed<T>(T object) implements WatchEvent<T> {}

    /** An object is there, and nobody knows since when it has been as it is. Told in place of a snapshot, one by one. */
    record Found<T>(T object) implements WatchEvent<T> {}

    /**
     * An object was deleted.
     *
     * @param resourceVersion the version of the deletion; {@code null} where it isn't known
     */
    record Removed<T>(ObjectKey key, @Nullable String resourceVersion) implements WatchEvent<T> {}

    /** An object is there, but can't be understood; as if it weren't there. */
    record Malformed<T>(ObjectKey key, String problem) implements WatchEvent<T> {}

    /** The watch has broken and is tried again after a while; what was told may be stale until the next event. */
    record Interrupted<T>(String message, Duration retryIn) implements WatchEvent<T> {}
}
