package io.cle;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.cle.model.Version;

/**
 * The comparisons of KEP-2835's three stories. All are strict orders, and a key that is empty or isn't of their kind takes
 * precedence over none.
 */
public final class KeyComparisons {

    private KeyComparisons() {}

    /** The newest semantic version takes precedence. */
    public static KeyComparison newestVersion() {
        return (ourKey, holderKey) -> precedes(version(ourKey), version(holderKey));
    }

    /** The largest number takes precedence, as that of a replica's resources. */
    public static KeyComparison largestNumber() {
        return (ourKey, holderKey) -> precedes(number(ourKey), number(holderKey));
    }

    /**
     * What comes earlier in a list takes precedence, as the closest region.
     *
     * @param keys from the most to the least preferred
     */
    public static KeyComparison orderedList(List<String> keys) {
        List<String> order = List.copyOf(keys);
        return (ourKey, holderKey) -> precedes(rank(order, ourKey), rank(order, holderKey));
    }

    private static <T extends Comparable<T>> boolean precedes(Optional<T> ours, Optional<T> holders) {
        return ours.isPresent() && (holders.isEmpty() || ours.get().compareTo(holders.get()) > 0);
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
