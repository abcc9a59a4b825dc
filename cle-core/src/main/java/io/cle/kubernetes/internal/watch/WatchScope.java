package io.cle.kubernetes.internal.watch;

import java.util.HashMap;
import java.util.Map;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a kind to watch.
 *
 * @param namespace the namespace; {@code null} for all
 * @param name the name of the only object; {@code null} for all
 * @param selectors the query parameters that select objects, in lists and watches
 * @param optional whether the API server may not serve this kind of object
 */
public record WatchScope(
        @Nullable String namespace, @Nullable String name, Map<String, String> selectors, boolean optional) {

    private static final String FIELDS = "fieldSelector";
    private static final String LABELS = "labelSelector";

    /** Returns the scope of one object. */
    public static WatchScope one(ObjectKey key) {
        return new WatchScope(key.namespace(), key.name(), Map.of(FIELDS, "metadata.name=" + key.name()), false);
    }

    /** Returns the scope of all objects. */
    public static WatchScope everything() {
        return new WatchScope(null, null, Map.of(), false);
    }

    /** Returns the scope of objects with the given labels. */
    public static WatchScope labelled(String selector) {
        return new WatchScope(null, null, Map.of(LABELS, selector), false);
    }

    /** Returns the scope of all leases except those of nodes, each of which is renewed every few seconds. */
    public static WatchScope leasesOfApplications() {
        return new WatchScope(null, null, Map.of(FIELDS, "metadata.namespace!=kube-node-lease"), false);
    }

    /** Returns this scope restricted to one namespace. */
    public WatchScope in(String onlyNamespace) {
        return new WatchScope(onlyNamespace, name, selectors, optional);
    }

    /** Returns this scope for a kind that the API server may not serve. */
    public WatchScope asOptional() {
        return new WatchScope(namespace, name, selectors, true);
    }

    /** Returns whether the objects have a label in common. */
    boolean byLabel() {
        return selectors.containsKey(LABELS);
    }

    /** Returns the query parameters common to lists and watches. */
    Map<String, String> query() {
        return new HashMap<>(selectors);
    }

    /** Returns whether the scope includes an object. Checked because servers may not support every selector. */
    boolean covers(ObjectKey key) {
        return (namespace == null || namespace.equals(key.namespace())) && (name == null || name.equals(key.name()));
    }
}
