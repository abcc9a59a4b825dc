package io.cle;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The kind of object that holds the lock. Named as for Kubernetes' {@code --leader-elect-resource-lock}; {@link #COORDINATEDLEASES} is our
 * addition.
 */
public enum ResourceLock {
    /** A Lease for which a coordinator elects the best candidate (KEP-4355). */
    COORDINATEDLEASES,
    /** A Lease that processes race for, as with client-go. */
    LEASES,
    /** The legacy annotation of an Endpoints object, which processes race for. */
    ENDPOINTS,
    /** The legacy annotation of a ConfigMap object, which processes race for. */
    CONFIGMAPS;

    /** Returns whether candidates are announced and a coordinator elects. */
    public boolean coordinated() {
        return this == COORDINATEDLEASES;
    }

    /** Returns the name as it is written in configurations. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant with the given name; empty if there is none. */
    public static Optional<ResourceLock> find(String text) {
        return Arrays.stream(values()).filter(lock -> lock.text().equals(text)).findFirst();
    }

    /** Returns all names. */
    public static List<String> texts() {
        return Arrays.stream(values()).map(ResourceLock::text).toList();
    }
}
