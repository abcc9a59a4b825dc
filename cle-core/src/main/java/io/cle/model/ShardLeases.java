package io.cle.model;

import java.util.AbstractSet;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.IntStream;

/** A subset of the Leases of a group's shards. Stores one bit per shard, because a coordinator keeps a set per candidate. Unmodifiable. */
final class ShardLeases extends AbstractSet<ObjectKey> {

    private final LeaseGroup group;
    private final BitSet without = new BitSet();

    /**
     * Creates the set of the given Leases that are shards of a group.
     *
     * @param leases may contain other Leases, too
     */
    ShardLeases(LeaseGroup group, Collection<ObjectKey> leases) {
        this.group = group;
        Set<ObjectKey> all = new HashSet<>(leases);
        for (int shard = 0; shard < group.shards(); shard++) {
            without.set(shard, !all.contains(group.lease(shard)));
        }
    }

    @Override
    public boolean contains(Object lease) {
        return lease instanceof ObjectKey key && group.indexOf(key).stream().anyMatch(shard -> !without.get(shard));
    }

    /** Compares bits if possible, because a coordinator compares the shards of each version of a candidate with those of the previous one. */
    @Override
    public boolean containsAll(Collection<?> leases) {
        if (!(leases instanceof ShardLeases other) || !other.group.equals(group)) {
            return super.containsAll(leases);
        }
        BitSet missing = (BitSet) without.clone();
        missing.andNot(other.without);
        return missing.isEmpty();
    }

    @Override
    public Iterator<ObjectKey> iterator() {
        return IntStream.range(0, group.shards())
                .filter(shard -> !without.get(shard))
                .mapToObj(group::lease)
                .iterator();
    }

    @Override
    public int size() {
        return group.shards() - without.cardinality();
    }
}
