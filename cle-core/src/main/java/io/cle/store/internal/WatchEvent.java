package io.cle.store.internal;

import java.time.Duration;
import java.util.List;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * An event of a watch.
 *
 * @param <T> the kind of object watched
 */
public sealed interface WatchEvent<T> {

    /**
     * All existing objects; objects that aren't included are gone. The first event of a watch, delivered again whenever the watch had to
     * start over.
     *
     * @param resourceVersion the version of the list; {@code null} if unknown
     */
    record Snapshot<T>(List<T> objects, @Nullable String resourceVersion) implements WatchEvent<T> {

        /** Creates a snapshot whose version isn't known. */
        public Snapshot(List<T> objects) {
            this(objects, null);
        }
    }

    /** An object was created or changed. */
    record Changed<T>(T object) implements WatchEvent<T> {}

    /**
     * An object was deleted.
     *
     * @param resourceVersion the version of the deletion; {@code null} if unknown
     */
    record Removed<T>(ObjectKey key, @Nullable String resourceVersion) implements WatchEvent<T> {}

    /** An object exists but is malformed; it is treated as if it didn't exist. */
    record Malformed<T>(ObjectKey key, String problem) implements WatchEvent<T> {}

    /**
     * The watch has broken and will be reopened after a delay. Until the next event, which is a {@link Snapshot}, the reported objects may
     * be stale.
     *
     * @param message a description of the failure
     * @param retryIn when the next attempt is made
     * @param again whether the watch fails repeatedly while lists succeed. Its recovery is then reported by {@link Recovered}, not by a
     *     snapshot
     * @param forbidden the verb that this process has no right to (403), {@code list} or {@code watch}; {@code null} for any other failure
     */
    record Interrupted<T>(
            String message,
            Duration retryIn,
            boolean again,
            @Nullable String forbidden) implements WatchEvent<T> {

        /** Creates an event for a first failure, or a failed list, that isn't due to a missing right. */
        public Interrupted(String message, Duration retryIn) {
            this(message, retryIn, false, null);
        }
    }

    /**
     * A watch that failed repeatedly works again.
     *
     * @param after how long it had failed
     */
    record Recovered<T>(Duration after) implements WatchEvent<T> {}

    /**
     * The API server doesn't serve this kind of object, which is optional. Delivered once, after an empty {@link Snapshot}. When the server
     * begins to serve the kind, the next event is a {@link Snapshot}.
     *
     * @param message the server's answer and how to have the kind served
     */
    record NotServed<T>(String message) implements WatchEvent<T> {}
}
