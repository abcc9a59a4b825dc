package io.cle;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.cle.model.Version;

/**
 * Decides whether a candidate may take over from a holder although the lock hasn't expired (KEP-2835). Implementations must be fast, pure
 * and thread-safe, and must define a strict order: of two keys at most one takes precedence over the other, and there are no cycles.
 *
 * <p>The comparisons provided here include those of KEP-2835's three user stories. With each of them, an empty or malformed key takes
 * precedence over no other.
 */
@FunctionalInterface
public interface KeyComparison {

    /**
     * Returns whether our key takes precedence over the holder's.
     *
     * @param ourKey this candidate's key; may be empty
     * @param holderKey the holder's key; empty when it has recorded none
     */
    boolean takesPrecedence(String ourKey, String holderKey);

    /** Returns a comparison by which the newest semantic version takes precedence. */
    static KeyComparison newestVersion() {
        return (ourKey, holderKey) -> precedes(version(ourKey), version(holderKey));
    }

    /**
     * Returns a comparison by which the oldest semantic version takes precedence: during an upgrade, no newer version leads while an older
     * one runs.
     */
    static KeyComparison oldestVersion() {
        return (ourKey, holderKey) -> precedes(version(ourKey), version(holderKey), Comparator.reverseOrder());
    }

    /** Returns a comparison by which the largest number takes precedence, for example the amount of a replica's resources. */
    static KeyComparison largestNumber() {
        return (ourKey, holderKey) -> precedes(number(ourKey), number(holderKey));
    }

    /** Returns a comparison by which the smallest number takes precedence, for example a distance. */
    static KeyComparison smallestNumber() {
        return (ourKey, holderKey) -> precedes(number(ourKey), number(holderKey), Comparator.reverseOrder());
    }

    /**
     * Returns a comparison by which the key that comes first in a list takes precedence, for example the closest region.
     *
     * @param keys the keys, from the most to the least preferred
     */
    static KeyComparison orderedList(List<String> keys) {
        List<String> order = List.copyOf(keys);
        return (ourKey, holderKey) -> precedes(rank(order, ourKey), rank(order, holderKey));
    }

    private static <T extends Comparable<T>> boolean precedes(Optional<T> ours, Optional<T> holders) {
        return precedes(ours, holders, Comparator.naturalOrder());
    }

    private static <T> boolean precedes(Optional<T> ours, Optional<T> holders, Comparator<T> order) {
        return ours.isPresent() && (holders.isEmpty() || order.compare(ours.get(), holders.get()) > 0);
    }

    private static Optional<Version> version(String key) {
        return parsed(key, Version::parse);
    }

    private static Optional<BigDecimal> number(String key) {
        return parsed(key, BigDecimal::new);
    }

    /** Returns empty, without the cost of an exception, for a holder without a key: keys are compared at each change of the lease. */
    private static <T> Optional<T> parsed(String key, Function<String, T> parser) {
        if (key.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parser.apply(key));
        } catch (IllegalArgumentException ofAnotherKind) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> rank(List<String> order, String key) {
        int index = order.indexOf(key);
        return index < 0 ? Optional.empty() : Optional.of(-index);
    }
}
