package io.cle.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The Leases of one lease that is led in parts: {@code <name>-<shards>-<index>}, one for each shard. The number of shards is part of the names,
 * so that no Lease is used for two different ranges of keys.
 *
 * @param namespace the namespace of the Leases
 * @param name the name that they have in common
 * @param shards how many there are
 */
public record LeaseGroup(String namespace, String name, int shards) implements Comparable<LeaseGroup> {

    /** The maximum number of shards. */
    public static final int MOST_SHARDS = 1000;

    /** The maximum length of {@code <name>-<shards>}, which is the value of a label. */
    public static final int LABEL_LENGTH = 63;

    private static final String ANY_INDEX = "-*";

    private static final Pattern LABEL = Pattern.compile("(.+)-([1-9][0-9]{0,3})");

    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,2}");

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if there are too few or too many shards
     */
    public LeaseGroup {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException(
                    "the number of shards must be between 1 and " + MOST_SHARDS + ", and is " + shards);
        }
    }

    /** Returns the Lease that is named like the group. It says how many shards are in force, and nobody leads by it. */
    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    /** Returns the Lease of a shard. */
    public ObjectKey lease(int index) {
        return new ObjectKey(namespace, label() + "-" + index);
    }

    /** Returns the Leases of all shards, in their order. */
    public List<ObjectKey> leases() {
        return IntStream.range(0, shards).mapToObj(this::lease).toList();
    }

    /** Returns what the names of the Leases begin with, and the value of the label by which they are found: {@code <name>-<shards>}. */
    public String label() {
        return name + "-" + shards;
    }

    /** Returns what a candidate for the group can lead: {@code <name>-<shards>-*}, which isn't the name of any Lease. */
    public ObjectKey pattern() {
        return new ObjectKey(namespace, label() + ANY_INDEX);
    }

    /** Returns the index of the shard whose Lease this is; empty if the Lease isn't one of this group. */
    public OptionalInt indexOf(ObjectKey lease) {
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
        return pattern.name().endsWith(ANY_INDEX)
                ? ofLabel(
                        pattern.namespace(),
                        pattern.name().substring(0, pattern.name().length() - ANY_INDEX.length()))
                : Optional.empty();
    }

    /** Returns the group of a {@link #label()}; empty if it is something else. */
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

    /** {@code <namespace>/<name>-<shards>-*}. */
    @Override
    public String toString() {
        return pattern().toString();
    }
}
