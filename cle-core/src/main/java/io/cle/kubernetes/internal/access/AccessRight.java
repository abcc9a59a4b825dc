package io.cle.kubernetes.internal.access;

import java.util.List;

import io.cle.kubernetes.internal.transport.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A right as granted by a role.
 *
 * @param resource the kind of object
 * @param verbs the allowed verbs, named as in roles
 * @param namespace the namespace; {@code null} for all namespaces
 * @param name the name of the only object, as in a role's {@code resourceNames}; {@code null} for objects of any name
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

    /** Creates a right on objects of any name. */
    public AccessRight(ResourceType resource, List<String> verbs, @Nullable String namespace) {
        this(resource, verbs, namespace, null);
    }

    /** Returns this right with only some of its verbs. */
    AccessRight only(List<String> some) {
        return new AccessRight(resource, some, namespace, name);
    }

    /** Describes the right: {@code get, patch leases.coordination.k8s.io 'orders' in namespace 'shop'}. */
    public String describe() {
        return String.join(", ", verbs) + " " + resource + (name == null ? "" : " '" + name + "'")
                + (namespace == null ? " in all namespaces" : " in namespace '" + namespace + "'");
    }
}
