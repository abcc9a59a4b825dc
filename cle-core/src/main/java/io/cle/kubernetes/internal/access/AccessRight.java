package io.cle.kubernetes.internal.access;

import java.util.List;

import io.cle.kubernetes.internal.transport.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A right that is needed, as roles grant them.
 *
 * @param resource on what kind of objects
 * @param verbs what to do with them, by the names that roles use
 * @param namespace where; {@code null} for all namespaces
 * @param name on which object alone, as a role's {@code resourceNames}; {@code null} for objects of any name
 */
public record AccessRight(
        ResourceType resource,
        List<String> verbs,
        @Nullable String namespace,
        @Nullable String name) {

    /** Makes the list immutable. */
    public AccessRight {
        verbs = List.copyOf(verbs);
    }

    /** A right on objects of any name. */
    public AccessRight(ResourceType resource, List<String> verbs, @Nullable String namespace) {
        this(resource, verbs, namespace, null);
    }

    /** The same with only some of the verbs. */
    AccessRight only(List<String> some) {
        return new AccessRight(resource, some, namespace, name);
    }

    /** For a person: {@code get, patch leases.coordination.k8s.io 'orders' in namespace 'shop'}. */
    public String describe() {
        return String.join(", ", verbs) + " " + resource + (name == null ? "" : " '" + name + "'")
                + (namespace == null ? " in all namespaces" : " in namespace '" + namespace + "'");
    }
}
