package io.cle;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.cle.model.Version;

/**
 * Decides whether a candidate may take over from a holder although the lock hasn't expired (KEP-2835). Must be quick, pure and
 * thread-safe, and must be a strict order: never both ways round, and without cycles.
 *
 * <p>With the comparisons here, among them those of KEP-2835's three stories, a key that is empty or isn't of their kind takes precedence
 * over none.
 */
@FunctionalInterface
public interface KeyComparison {

    /**
     * Whether our key takes precedence over the holder's.
     *
     * @param ourKey this candidate's key; may be empty
     * @param holderKey the holder's key; empty when it has recorded none
     */
    boolean takesPrecedence(String ourKey, String holderKey);

    /** The newest semantic version takes precedence. */
    static KeyComparison newestVersion() {
        return (ourKey, holderKey) -> precedes(version(ourKey), version(holderKey));
    }

    /** The oldest semantic version takes precedence: during an upgrade no newer one leads while an older one runs. */
    static KeyComparison oldestVersion() {
        return (ourKey, holderKey) -> precedes(version(ourKey), version(holderKey), Comparator.reverseOrder());
    }

    /** The largest number takes precedence, as that of a replica's resources. */
    static KeyComparison largestNumber() {
        return (ourKey, holderKey) -> precedes(number(ourKey), number(holderKey));
    }

    /** The smallest number takes precedence, as that of a distance. */
    static KeyComparison smallestNumber() {
        return (ourKey, holderKey) -> precedes(number(ourKey), number(holderKey), Comparator.reverseOrder());
    }

    /**
     * What comes earlier in a list takes precedence, as the closest region.
     *
     * @param keys from the most to the least preferred
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

    /** A holder may have no key, and is compared with at each change of the lease: that takes no exception. */
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
