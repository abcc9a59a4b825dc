package io.cle.migration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the migration lock is held on ({@code resourceLock}). Kubernetes itself has come down to {@link #LEASES}; the others are for
 * components that still lead by legacy records, and {@link #COORDINATEDLEASES} is ours.
 */
public enum MigrationResourceLock {
    /** A Lease that is raced for: the default. */
    LEASES,
    /** The legacy annotation of an Endpoints object. */
    ENDPOINTS,
    /** The legacy annotation of a ConfigMap. */
    CONFIGMAPS,
    /** A Lease that a coordinator gives to the best candidate of all components (KEP-4355). */
    COORDINATEDLEASES;

    /** The name as configurations write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The lock of a name; empty when there is none. */
    public static Optional<MigrationResourceLock> find(String text) {
        return Arrays.stream(values()).filter(lock -> lock.text().equals(text)).findFirst();
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(MigrationResourceLock::text).toList();
    }
}
