package io.cle.kubernetes;

import java.util.HashMap;
import java.util.Map;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a kind to watch.
 *
 * @param namespace in which namespace; {@code null} for all
 * @param name only the one of this name; {@code null} for all
 * @param labelSelector only those with these labels; {@code null} for all
 * @param optional whether the API server may do without this kind of object
 */
record WatchScope(
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String labelSelector,
        boolean optional) {

    /** One object. */
    static WatchScope one(ObjectKey key) {
        return new WatchScope(key.namespace(), key.name(), null, false);
    }

    /** What to ask for, in a list as in a watch. */
    Map<String, String> query() {
        Map<String, String> query = new HashMap<>();
        if (name != null) {
            query.put("fieldSelector", "metadata.name=" + name);
        }
        if (labelSelector != null) {
            query.put("labelSelector", labelSelector);
        }
        return query;
    }

    /** Whether an object belongs here; servers are not trusted to know every selector. */
    boolean covers(ObjectKey key) {
        return (namespace == null || namespace.equals(key.namespace())) && (name == null || name.equals(key.name()));
    }
}
