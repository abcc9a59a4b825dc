package io.cle;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is led by; the names are those of Kubernetes' {@code --leader-elect-resource-lock}, and {@link #COORDINATEDLEASES} is ours. */
public enum ResourceLock {
    /** A Lease that a coordinator gives to the best candidate (KEP-4355). */
    COORDINATEDLEASES,
    /** A Lease that processes race for, as client-go's do. */
    LEASES,
    /** The legacy annotation of an Endpoints object, which processes race for. */
    ENDPOINTS,
    /** The legacy annotation of a ConfigMap object, which processes race for. */
    CONFIGMAPS;

    /** Whether candidates are announced and a coordinator elects. */
    public boolean coordinated() {
        return this == COORDINATEDLEASES;
    }

    /** The name as configurations write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The lock of a name; empty when there is none. */
    public static Optional<ResourceLock> find(String text) {
        return Arrays.stream(values()).filter(lock -> lock.text().equals(text)).findFirst();
    }

    /** All names. */
    public static List<String> texts() {
        return Arrays.stream(values()).map(ResourceLock::text).toList();
    }
}
