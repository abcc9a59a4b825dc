package io.cle.spring.properties.internal;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * What is written for one lease.
 *
 * @param name the key under {@code cle.leases}; {@code null} for the default lease
 * @param values its own, and the default lease's where it has none
 * @param isOwn whether a key is the lease's own
 * @param written the value of a key as its source has it, before it is converted; {@code null} if it is written nowhere
 */
record BoundLease(
        @Nullable String name,
        LeaseProperties values,
        Predicate<String> isOwn,
        Function<String, @Nullable Object> written) {

    /** The value of a key, with the full path of the property that says it, or whose default it is. */
    <T> Setting<T> setting(String key, T value) {
        return new Setting<>((isOwn.test(key) ? "cle.leases." + name + "." : "cle.") + key, value);
    }

    /** The value of a key that need not be set. */
    <T> Setting<Optional<T>> optional(String key, @Nullable T value) {
        return setting(key, Optional.ofNullable(value));
    }

    /** The name of the Lease, which is never the default lease's. */
    Setting<Optional<String>> leaseName() {
        return new Setting<>(
                name == null ? "cle.lease-name" : "cle.leases." + name + ".lease-name",
                Optional.ofNullable(values.leaseName()));
    }
}
