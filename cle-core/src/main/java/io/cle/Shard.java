package io.cle;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * One part of a lease that is split by key. Each key belongs to exactly one shard: the shards are ranges of equal size of the key's hash, which
 * is 64-bit FNV-1a over the key's bytes in UTF-8, followed by the finalizer of MurmurHash3 (fmix64). It spreads keys of any kind evenly,
 * including sequential ones. A key belongs to the same shard in every process and every language, as long as the number of shards is the same.
 *
 * @param index the number of this shard, from 0
 * @param count the number of shards
 */
public record Shard(int index, int count) {

    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if there is no such shard
     */
    public Shard {
        if (count < 1 || count > LeaseGroup.MOST_SHARDS) {
            throw new IllegalArgumentException(
                    "the number of shards must be between 1 and " + LeaseGroup.MOST_SHARDS + ", and is " + count);
        }
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("of " + count + " shards, none has the number " + index);
        }
    }

    /**
     * Returns the shard whose Lease this is; empty if the Lease isn't a shard.
     *
     * @param group the group that the Lease belongs to; {@code null} if there is none
     */
    public static Optional<Shard> of(@Nullable LeaseGroup group, ObjectKey lease) {
        return group == null
                ? Optional.empty()
                : group.indexOf(lease).stream()
                        .mapToObj(index -> new Shard(index, group.shards()))
                        .findFirst();
    }

    /** Returns the shard that a key belongs to. */
    public static Shard of(String key, int count) {
        return of(key.getBytes(StandardCharsets.UTF_8), count);
    }

    /** Returns the shard that a key belongs to, given its bytes. */
    public static Shard of(byte[] key, int count) {
        return new Shard((int) unsignedHighOfProduct(hash(key), count), count);
    }

    /** Returns whether a key belongs to this shard. */
    public boolean owns(String key) {
        return of(key, count).index == index;
    }

    /** Returns whether a key belongs to this shard, given its bytes. */
    public boolean owns(byte[] key) {
        return of(key, count).index == index;
    }

    /** Returns the shard of the led work that the calling thread runs; empty if it runs none, or if its lease has no shards. */
    public static Optional<Shard> current() {
        return Term.current().flatMap(Term::shard);
    }

    /** Returns the hash of a key. FNV-1a alone hardly mixes the last characters of a key into the upper bits, which choose the shard. */
    static long hash(byte[] key) {
        long hash = OFFSET_BASIS;
        for (byte next : key) {
            hash = (hash ^ (next & 0xff)) * PRIME;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    /** Returns the upper 64 bits of the product of the unsigned hash and the number of shards: the index of the range that the hash is in. */
    private static long unsignedHighOfProduct(long hash, long count) {
        return Math.multiplyHigh(hash, count) + (hash < 0 ? count : 0);
    }

    /** {@code <index>/<count>}. */
    @Override
    public String toString() {
        return index + "/" + count;
    }
}
