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
 * @param selectors the query parameters that select some of them, in a list as in a watch
 * @param optional whether the API server may do without this kind of object
 */
public record WatchScope(
        @Nullable String namespace, @Nullable String name, Map<String, String> selectors, boolean optional) {

    private static final String FIELDS = "fieldSelector";

    /** One object. */
    public static WatchScope one(ObjectKey key) {
        return new WatchScope(key.namespace(), key.name(), Map.of(FIELDS, "metadata.name=" + key.name()), false);
    }

    /** All objects. */
    static WatchScope everything() {
        return new WatchScope(null, null, Map.of(), false);
    }

    /** The objects with certain labels. */
    static WatchScope labelled(String selector) {
        return new WatchScope(null, null, Map.of("labelSelector", selector), false);
    }

    /** All leases but those of the nodes, each of which is renewed every few seconds. */
    static WatchScope leasesOfApplications() {
        return new WatchScope(null, null, Map.of(FIELDS, "metadata.namespace!=kube-node-lease"), false);
    }

    /** The same in one namespace. */
    public WatchScope in(String onlyNamespace) {
        return new WatchScope(onlyNamespace, name, selectors, optional);
    }

    /** The same of a kind that needn't be there. */
    WatchScope asOptional() {
        return new WatchScope(namespace, name, selectors, true);
    }

    /** The beginning of a query, in a list as in a watch. */
    Map<String, String> query() {
        return new HashMap<>(selectors);
    }

    /** Whether an object belongs here; servers are not trusted to know every selector. */
    boolean covers(ObjectKey key) {
        return (namespace == null || namespace.equals(key.namespace())) && (name == null || name.equals(key.name()));
    }
}
