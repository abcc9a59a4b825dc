package io.cle.kubernetes.internal.watch;

import java.util.HashMap;
import java.util.Map;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a kind to watch.
 *
 * @param namespace in which namespace; {@code null} for all
 * @param name only the one of this name; {@code null} for all
 * @param fieldSelector only those with these fields; {@code null} for all
 * @param labelSelector only those with these labels; {@code null} for all
 * @param optional whether the API server may do without this kind of object
 */
public record WatchScope(
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String fieldSelector,
        @Nullable String labelSelector,
        boolean optional) {

    /** One object. */
    public static WatchScope one(ObjectKey key) {
        return new WatchScope(key.namespace(), key.name(), "metadata.name=" + key.name(), null, false);
    }

    /** All objects. */
    static WatchScope everything() {
        return new WatchScope(null, null, null, null, false);
    }

    /** The objects with certain labels. */
    static WatchScope labelled(String selector) {
        return new WatchScope(null, null, null, selector, false);
    }

    /** All leases but those of the nodes, each of which is renewed every few seconds. */
    static WatchScope leasesOfApplications() {
        return new WatchScope(null, null, "metadata.namespace!=kube-node-lease", null, false);
    }

    /** The same in one namespace. */
    public WatchScope in(String onlyNamespace) {
        return new WatchScope(onlyNamespace, name, fieldSelector, labelSelector, optional);
    }

    /** The same of a kind that needn't be there. */
    WatchScope asOptional() {
        return new WatchScope(namespace, name, fieldSelector, labelSelector, true);
    }

    /** What to ask for, in a list as in a watch. */
    Map<String, String> query() {
        Map<String, String> query = new HashMap<>();
        if (fieldSelector != null) {
            query.put("fieldSelector", fieldSelector);
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
