package io.cle.spring.properties.internal;

import java.time.Duration;

import io.cle.KeyComparison;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one lease.
 *
 * @param name what the lease is called in this application: the key under {@code cle.leases}, or the default lease's name
 * @param properties the properties as they were written, with those that the lease inherits
 * @param config the configuration of the lease's lock that follows from them, but for the takeover of a direct lock, which beans of the
 *     application take part in
 * @param keyOrder how the keys of a direct lock are compared; {@code null} when no property says it
 */
public record LeaseSettings(
        String name,
        LeaseProperties properties,
        LockConfig config,
        @Nullable KeyOrder keyOrder) {

    /**
     * What {@code cle.candidate.key-comparison} says.
     *
     * @param property the property that says it
     * @param text as it was written
     * @param comparison which of two keys takes precedence
     * @param versionKey the program's version, the key of a process without another one; {@code null} if it isn't known, or no versions
     *     are compared
     */
    public record KeyOrder(
            String property,
            String text,
            KeyComparison comparison,
            @Nullable String versionKey) {}

    /** Returns the key of the object that the lease is recorded on. */
    public ObjectKey lease() {
        return config.lease();
    }

    /** Returns the identity by which this process holds it: {@code <lease>-<identity>} for coordinated leases, else the identity. */
    public String identity() {
        return config.identity();
    }

    public Timings timings() {
        return config.timings();
    }

    public Duration drainTimeout() {
        return config.drainTimeout();
    }
}
