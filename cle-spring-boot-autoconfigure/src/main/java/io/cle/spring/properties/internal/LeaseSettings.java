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
 * @param name the name of the lease in this application: the key under {@code cle.leases}, or the default lease's name
 * @param properties the bound properties, including the inherited ones
 * @param config the configuration of the lease's lock, without the takeover rule of a direct lock, which may need beans of the application
 * @param keyOrder how the keys of a direct lock are compared; {@code null} if no property is set
 */
public record LeaseSettings(
        String name,
        LeaseProperties properties,
        LockConfig config,
        @Nullable KeyOrder keyOrder) {

    /**
     * The value of {@code cle.candidate.key-comparison}.
     *
     * @param property the full name of the property
     * @param text the value as it was written
     * @param comparison compares two keys
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

    /** Returns the identity by which this process holds the lease: {@code <lease>-<identity>} for coordinated leases, else the identity. */
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
