package io.cle.spring.lock.internal;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.lock.Shards;

/**
 * The shards of a lease.
 *
 * @param leases one for each shard, in their order
 */
record LeaseShards(List<Lease> leases) implements Shards {

    /**
     * Returns the shards of a lease.
     *
     * @param name the name of the lease in this application
     * @throws IllegalStateException if the lease isn't led in parts, because the application brings its locks itself
     */
    static LeaseShards of(String name, Leases all) {
        List<Lease> leases =
                all.of(name).stream().filter(lease -> lease.shard().isPresent()).toList();
        if (leases.isEmpty()) {
            throw new IllegalStateException(
                    "the lease '" + name + "' has no shards, although cle.leases." + name + ".shards is set: the"
                            + " application's own LeaseLocks bean has none; there are " + all.commonNames());
        }
        return new LeaseShards(leases);
    }

    @Override
    public int count() {
        return leases.size();
    }

    @Override
    public Set<Shard> held() {
        Set<Shard> held = new LinkedHashSet<>();
        leases.stream()
                .filter(lease -> lease.lock().isLeader())
                .forEach(lease -> lease.shard().ifPresent(held::add));
        return Collections.unmodifiableSet(held);
    }

    @Override
    public Shard shardOf(String key) {
        return Shard.of(key, count());
    }

    @Override
    public Optional<Term> term(String key) {
        Lease lease = leaseOf(key);
        return lease.lock().term().map(lease::withShard);
    }

    @Override
    public Optional<String> leaderOf(String key) {
        return leaseOf(key).lock().leader();
    }

    private Lease leaseOf(String key) {
        return leases.get(shardOf(key).index());
    }
}
