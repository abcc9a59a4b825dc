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
     * All objects there are; what isn't among them is gone. Comes first, and again when the watch had to begin anew.
     *
     * @param newHistory whether the API server's history has begun anew from an earlier state, as after a restore of etcd from a backup
     *     (safety.md#new-history): versions that were known before can't be compared with those of these objects
     * @param resourceVersion the version at which these are all objects; {@code null} where it isn't known
     */
    record Snapshot<T>(
            List<T> objects, boolean newHistory, @Nullable String resourceVersion) implements WatchEvent<T> {

        /** A snapshot of the history that is known. */
        public Snapshot(List<T> objects) {
            this(objects, false);
        }

        /** A snapshot of which the version isn't known. */
        public Snapshot(List<T> objects, boolean newHistory) {
            this(objects, newHistory, null);
        }
    }

    /** An object was created or changed. */
    record Changed<T>(T object) implements WatchEvent<T> {}

    /**
     * An object was deleted.
     *
     * @param resourceVersion the version of the deletion; {@code null} where it isn't known
     */
    record Removed<T>(ObjectKey key, @Nullable String resourceVersion) implements WatchEvent<T> {}

    /**
     * An object is there, but can't be understood; as if it weren't there.
     *
     * @param lease the lease that it names; {@code null} if it is a lease itself, or names none that can be understood
     */
    record Malformed<T>(ObjectKey key, @Nullable ObjectKey lease, String problem) implements WatchEvent<T> {

        /** An object that names no lease. */
        public Malformed(ObjectKey key, String problem) {
            this(key, null, problem);
        }
    }

    /**
     * The watch has broken and is opened again after a while. Until the next event, what was reported may be stale; that event is a
     * {@link Snapshot}.
     *
     * @param message what has failed, for a person
     * @param retryIn when the next attempt is made
     * @param again whether the watch alone fails, again and again, while lists succeed. {@link Recovered} tells when it works again; a
     *     snapshot doesn't
     * @param forbidden the verb that this process has no right to (403), {@code list} or {@code watch}; {@code null} for any other failure
     */
    record Interrupted<T>(
            String message,
            Duration retryIn,
            boolean again,
            @Nullable String forbidden) implements WatchEvent<T> {

        /** The first failure, or one of a list, for want of anything but a right. */
        public Interrupted(String message, Duration retryIn) {
            this(message, retryIn, false, null);
        }
    }

    /**
     * A watch that was interrupted again and again works.
     *
     * @param after for how long it has failed
     */
    record Recovered<T>(Duration after) implements WatchEvent<T> {}

    /**
     * The API server doesn't serve this kind of object, and needn't. Follows an empty {@link Snapshot}, once; when the server comes to serve
     * the kind, the next event is a {@link Snapshot}, too.
     *
     * @param message what the server has answered and how to have the kind served, for a person
     * @param retryIn when the server is asked again
     */
    record NotServed<T>(String message, Duration retryIn) implements WatchEvent<T> {}
}
