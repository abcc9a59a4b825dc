package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Optional;

import io.cle.Shard;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.spring.properties.ApiSelection;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one lease.
 *
 * @param name the name of the lease in this application: the key under {@code cle.leases}, or the default lease's name; for a shard,
 *     {@code <key>-<shards>-<index>}
 * @param commonName the name that the shards of a lease have in common, which is the key under {@code cle.leases}; the name of a lease
 *     that has no shards
 * @param properties the bound properties, including the inherited ones
 * @param config the configuration of the lease's lock
 */
public record LeaseSettings(String name, String commonName, LeaseProperties properties, LockConfig config) {

    /** Returns the group that the lease belongs to; {@code null} if a coordinator doesn't spread it. */
    public @Nullable LeaseGroup group() {
        return config.group();
    }

    /** Returns the format of the candidate: a group needs the CRD, because a native candidate can lead one lease only. */
    public ApiSelection api() {
        return group() == null ? properties.api() : ApiSelection.CRD;
    }

    /** Returns the shard; empty if the lease has no shards. */
    public Optional<Shard> shard() {
        return Shard.of(config.group(), config.lease());
    }

    /** Returns whether this is a shard other than the first. Checks and logs that concern all shards are done once, for the first one. */
    public boolean isFurtherShard() {
        return shard().filter(shard -> shard.index() > 0).isPresent();
    }

    /** Returns the key of the object that the lease is recorded on. */
    public ObjectKey lease() {
        return config.lease();
    }

    /** Returns the identity under which this process holds the lease: {@code <lease>-<identity>} for coordinated leases, else the identity. */
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
