package io.cle.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Leases whose leaders a coordinator spreads evenly over the candidates: the shards of one lease, or leases that have names of their own.
 *
 * <p>Shards are named {@code <name>-<shards>-<index>}. The number of shards is part of the names, so that no Lease is used for two different
 * ranges of keys. If the leases have names of their own, each candidate lists those that it can lead.
 *
 * @param namespace the namespace of the Leases
 * @param name the name of the group; for shards, the name of the lease that they split
 * @param shards the number of shards; 0 if the leases have names of their own
 */
public record LeaseGroup(String namespace, String name, int shards) implements Comparable<LeaseGroup> {

    /** The maximum number of shards. */
    public static final int MOST_SHARDS = 1000;

    /** The maximum length of {@code <name>-<shards>}, which is the value of a label. */
    public static final int LABEL_LENGTH = 63;

    private static final String ANY_LEASE = "-*";

    private static final Pattern LABEL = Pattern.compile("(.+)-([1-9][0-9]{0,3})");

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,2}");

    private static final Pattern SHARD = Pattern.compile("(.+-[1-9][0-9]{0,3})-(?:0|[1-9][0-9]{0,2})");

    private static final Pattern OWNER = Pattern.compile(".+-([0-9]{1,4})-\\*");

    /**
     * Checks the number and the name.
     *
     * @throws IllegalArgumentException if there are too many shards, or the name of a group without shards could be the label of one with shards
     */
    public LeaseGroup {
        if (shards < 0 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException(
                    "the number of shards must be between 1 and " + MOST_SHARDS + ", and is " + shards);
        }
        if (shards == 0 && isLabelOfShards(name)) {
            throw new IllegalArgumentException(
                    "a group of leases with names of their own must not end in a number, as shards do: " + name);
        }
    }

    /**
     * Returns a group of leases that have names of their own.
     *
     * @throws IllegalArgumentException if {@link #isLabelOfShards(String)} is true of the name
     */
    public static LeaseGroup named(String namespace, String name) {
        return new LeaseGroup(namespace, name, 0);
    }

    /** Returns whether a name is the label of a group of shards, {@code <name>-<number>}. */
    public static boolean isLabelOfShards(String name) {
        return LABEL.matcher(name).matches();
    }

    /** Returns whether the leases are the shards of one lease. */
    public boolean isSharded() {
        return shards > 0;
    }

    /** Returns the Lease that is named like the group. While shards own its key, nobody holds it. */
    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    /** Returns the Lease of a shard. */
    public ObjectKey lease(int index) {
        return new ObjectKey(namespace, label() + "-" + index);
    }

    /** Returns the Leases of all shards, in their order; none if the leases have names of their own. */
    public List<ObjectKey> leases() {
        return IntStream.range(0, shards).mapToObj(this::lease).toList();
    }

    /**
     * Returns the value of the label that selects the Leases: {@code <name>-<shards>}, the prefix of their names; the
     * name if the leases have names of their own.
     */
    public String label() {
        return isSharded() ? name + "-" + shards : name;
    }

    /** Returns what a candidate for the group can lead: {@code <label>-*}, which isn't the name of any Lease. */
    public ObjectKey pattern() {
        return new ObjectKey(namespace, label() + ANY_LEASE);
    }

    /** Returns the number of shards that a closed Lease names in place of a holder ({@code <name>-<shards>-*}); 0 for the lease without shards. */
    public static int numberOfOwner(String owner) {
        Matcher matcher = OWNER.matcher(owner);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Returns what a closed Lease names in place of a holder: the shards that own its key, or {@code <name>-0-*} for the lease without shards. */
    public static String owner(ObjectKey key, int shards) {
        return key.name() + "-" + shards + ANY_LEASE;
    }

    /** Returns what a closed Lease names in place of a holder if its own family, judged by its name, owns the key. */
    public static String owner(ObjectKey lease) {
        return ofShard(lease)
                .map(family -> owner(family.key(), family.shards()))
                .orElseGet(() -> owner(lease, 0));
    }

    /** Returns whether a holder is the {@link #owner} of a key and no process. */
    public static boolean isOwner(String holder) {
        return holder.endsWith(ANY_LEASE);
    }

    /** Returns the group that a Lease is a shard of by its name; empty if its name isn't that of a shard. */
    public static Optional<LeaseGroup> ofShard(ObjectKey lease) {
        Matcher matcher = SHARD.matcher(lease.name());
        return matcher.matches()
                ? ofLabel(lease.namespace(), matcher.group(1))
                        .filter(group -> group.indexOf(lease).isPresent())
                : Optional.empty();
    }

    /** Returns the index of the shard whose Lease this is; empty if the Lease isn't a shard of this group. */
    public OptionalInt indexOf(ObjectKey lease) {
        if (!isSharded()) {
            return OptionalInt.empty();
        }
        String prefix = label() + "-";
        if (!lease.namespace().equals(namespace) || !lease.name().startsWith(prefix)) {
            return OptionalInt.empty();
        }
        String index = lease.name().substring(prefix.length());
        if (!INDEX.matcher(index).matches()) {
            return OptionalInt.empty();
        }
        int number = Integer.parseInt(index);
        return number < shards ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /** Returns the group of a {@link #pattern()}; empty if it is something else. */
    public static Optional<LeaseGroup> ofPattern(ObjectKey pattern) {
        if (!pattern.name().endsWith(ANY_LEASE)) {
            return Optional.empty();
        }
        String label = pattern.name().substring(0, pattern.name().length() - ANY_LEASE.length());
        return isLabelOfShards(label)
                ? ofLabel(pattern.namespace(), label)
                : Optional.of(named(pattern.namespace(), label));
    }

    /** Returns the group of shards that has a {@link #label()}; empty if it is something else. */
    public static Optional<LeaseGroup> ofLabel(String namespace, String label) {
        Matcher matcher = LABEL.matcher(label);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_SHARDS) {
            return Optional.empty();
        }
        return Optional.of(new LeaseGroup(namespace, matcher.group(1), Integer.parseInt(matcher.group(2))));
    }

    @Override
    public int compareTo(LeaseGroup other) {
        return pattern().compareTo(other.pattern());
    }

    /** {@code <namespace>/<label>-*}. */
    @Override
    public String toString() {
        return pattern().toString();
    }
}
