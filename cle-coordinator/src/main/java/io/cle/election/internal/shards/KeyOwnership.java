package io.cle.election.internal.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;

/**
 * Decides which family of leases owns a key, and what has to be written before a lease of that family is granted. The families of the key
 * {@code orders} are the Lease {@code orders} itself, which is led without shards (family 0), and for each number of shards the Leases
 * {@code orders-<number>-<index>}. Pure. Rule: {@code safety.md#one-owner-of-each-key}.
 */
public final class KeyOwnership {

    /** No family. */
    public static final int NOBODY = -1;

    /** The family of the Lease that is named like the key, which is led without shards. */
    public static final int PLAIN = 0;

    private KeyOwnership() {}

    /**
     * Returns the family that owns the key: the one that holds a lease; if none does, the one with the most candidates; of several, the
     * former owner.
     *
     * @param candidates how many candidates each family has, of those that have any
     * @param held the families that may hold a lease
     * @param former the last known owner
     * @return {@link #NOBODY} if several families may hold a lease, or if there are neither holders nor candidates
     */
    public static int owner(SortedMap<Integer, Integer> candidates, Set<Integer> held, int former) {
        if (!held.isEmpty()) {
            return held.size() == 1 ? held.iterator().next() : NOBODY;
        }
        int owner = NOBODY;
        for (Map.Entry<Integer, Integer> family : candidates.entrySet()) {
            int most = candidates.getOrDefault(owner, 0);
            if (family.getValue() > most || (family.getValue() == most && family.getKey() == former)) {
                owner = family.getKey();
            }
        }
        return owner;
    }

    /**
     * Returns the next writes: first the owner into the Lease that is named like the key; then, in any order, each Lease of other families and each
     * missing one of the owner, closed at the version of that Lease. Then all leases have to be read again: if no write is needed then, the owner's
     * leases may be granted in the versions that were read.
     *
     * @param leases the leases of the key, of all families
     * @param others those that are held by other applications and only named like shards
     */
    public static List<Lease> writes(ObjectKey key, int owner, Map<ObjectKey, Lease> leases, Set<ObjectKey> others) {
        Lease named = leases.get(key);
        String name = LeaseGroup.owner(key, owner);
        if (named == null || !name.equals(named.owner()) || !named.managed()) {
            return List.of(closed(named == null ? Lease.builder(key).build() : named, name));
        }
        List<Lease> writes = new ArrayList<>();
        TreeSet<ObjectKey> missing = new TreeSet<>();
        if (owner != PLAIN) {
            missing.addAll(new LeaseGroup(key.namespace(), key.name(), owner).leases());
        }
        leases.forEach((lease, present) -> {
            LeaseGroup family = LeaseGroup.ofShard(lease).orElse(null);
            boolean ofOwner = missing.remove(lease);
            boolean closed =
                    present.closed() && String.valueOf(named.resourceVersion()).equals(present.retiredBy());
            // An administrator has written a holder into a closed lease: no process acquires it, and that
            // holder isn't elected.
            boolean edited = present.closed() && present.held();
            boolean close = ofOwner ? isUnmarked(present) && !present.held() : !closed && belongs(present);
            if (family != null && (edited || close) && !others.contains(lease)) {
                writes.add(shard(present, family, named));
            }
        });
        missing.forEach(lease -> LeaseGroup.ofShard(lease)
                .ifPresent(family -> writes.add(shard(Lease.builder(lease).build(), family, named))));
        return writes;
    }

    /** Returns whether a Lease with the name of a shard is a shard, rather than an unrelated application's lease. */
    public static boolean belongs(Lease lease) {
        return !isUnmarked(lease) || (lease.held() && lease.electedBy() != null);
    }

    private static boolean isUnmarked(Lease lease) {
        return lease.group() == null && !lease.closed();
    }

    private static Lease shard(Lease lease, LeaseGroup family, Lease named) {
        return closed(lease, String.valueOf(named.owner())).toBuilder()
                .group(family.label())
                .retiredBy(named.resourceVersion())
                .build();
    }

    private static Lease closed(Lease lease, String owner) {
        return lease.toBuilder()
                .holder(null)
                .owner(owner)
                .retiredBy(lease.resourceVersion() == null ? "0" : lease.resourceVersion())
                .leaseDuration(Lease.CLOSED)
                .term(TermAnnotation.released(lease.endedWhenReplaced()))
                .electedBy(null)
                .noEndOfTerm()
                .managed(true)
                .build();
    }
}
