package io.cle.test.apiserver.store;

import com.google.gson.JsonObject;

/**
 * A change that a watch delivers.
 *
 * @param type what happened, as the watcher sees it through its selector
 * @param object the object after the change, before it for a deletion, with the resourceVersion of the change; shared, not
 *     to be changed
 */
public record ObjectChange(Type type, JsonObject object) {

    /** The values of a watch event's {@code type}. */
    public enum Type {
        /** An object exists, or now matches. */
        ADDED,
        /** An object has changed. */
        MODIFIED,
        /** An object is gone, or no longer matches. */
        DELETED
    }
}
