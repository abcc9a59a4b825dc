package io.cle.spring.lock;

import java.util.Optional;
import java.util.Set;

import io.cle.Shard;
import io.cle.Term;

/**
 * The shards of a lease ({@code cle.leases.<name>.shards}) and their leaders. Each lease with shards has a bean
 * {@code <name>Shards}, injected by {@code @Qualifier("<name>")}, or without a qualifier if there is only one.
 * Thread-safe. Implemented by this project only; later versions may add methods.
 */
public interface Shards {

    /** Returns the number of shards. */
    int count();

    /** Returns the shards that this process leads at this instant, in their order. */
    Set<Shard> held();

    /** Returns the shard that a key belongs to. */
    Shard shardOf(String key);

    /**
     * Returns the running term of the shard that a key belongs to; empty if this process doesn't lead that shard. Its
     * {@linkplain Term#fencingToken() fencing token} protects a write for the key.
     */
    Optional<Term> term(String key);

    /** Returns the holder of the shard that a key belongs to, as last observed by this process; empty if there is none. */
    Optional<String> leaderOf(String key);
}
