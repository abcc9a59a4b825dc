package io.cle.kubernetes;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A right that is needed, as roles grant them.
 *
 * @param resource on what kind of objects
 * @param verbs what to do with them, by the names that roles use
 * @param namespace where; {@code null} for all namespaces
 */
public record AccessRight(
        ResourceType resource, List<String> verbs, @Nullable String namespace) {

    /** Makes the list immutable. */
    public AccessRight {
        verbs = List.copyOf(verbs);
    }

    /** The same with only some of the verbs. */
    AccessRight only(List<String> some) {
        return new AccessRight(resource, some, namespace);
    }

    /** For a person: {@code create, patch leases.coordination.k8s.io in namespace 'shop'}. */
    public String describe() {
        return String.join(", ", verbs) + " " + resource
                + (namespace == null ? " in all namespaces" : " in namespace '" + namespace + "'");
    }
}
