package io.cle.model;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes object's namespace and name. Used for leases and candidates alike.
 *
 * @param namespace the namespace, never empty
 * @param name the object's name, never empty
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

    /** Rejects empty parts. */
    public ObjectKey {
        if (Objects.requireNonNull(namespace, "namespace").isEmpty()) {
            throw new IllegalArgumentException("namespace must not be empty (name: '" + name + "')");
        }
        if (Objects.requireNonNull(name, "name").isEmpty()) {
            throw new IllegalArgumentException("name must not be empty (namespace: '" + namespace + "')");
        }
    }

    /**
     * Parses {@code namespace/name}, the form of {@code spec.canLeadLease} and of {@link #toString()}.
     *
     * @throws IllegalArgumentException if the text isn't of that form
     */
    public static ObjectKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
            throw new IllegalArgumentException("'" + text + "' is not of the form <namespace>/<name>");
        }
        return new ObjectKey(text.substring(0, slash), text.substring(slash + 1));
    }

    /**
     * Compares the components directly, because keys are compared for each watch event. A record's generated method is a chain of method
     * handles, which is several times slower until the JIT compiler has compiled it, which happens only after a process's first hand-overs.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectKey key && name.equals(key.name) && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * namespace.hashCode() + name.hashCode();
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
