package io.cle;

import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each comparison is a strict order, in which keys that it doesn't recognize come last. */
class KeyComparisonTest {

    /** Asserts that the first key takes precedence over the second, and not vice versa. */
    private static void isBefore(KeyComparison comparison, String first, String second) {
        assertThat(comparison.takesPrecedence(first, second))
                .as(first + " before " + second)
                .isTrue();
        assertThat(comparison.takesPrecedence(second, first))
                .as(second + " before " + first)
                .isFalse();
    }

    private static void areEqual(KeyComparison comparison, String first, String second) {
        assertThat(comparison.takesPrecedence(first, second)).isFalse();
        assertThat(comparison.takesPrecedence(second, first)).isFalse();
    }

    @Nested
    class NewestVersion {

        private final KeyComparison newest = KeyComparison.newestVersion();

        @Test
        void newestVersionComparesAsSemanticVersions() {
            isBefore(newest, "1.10.0", "1.9.0");
            areEqual(newest, "1.9.0", "1.9.0");
        }

        @Test
        void newestVersionHasAKeyThatIsNoVersionLast() {
            isBefore(newest, "0.0.1", "latest");
            isBefore(newest, "0.0.1", "");
            areEqual(newest, "latest", "");
        }
    }

    @Nested
    class OldestVersion {

        private final KeyComparison oldest = KeyComparison.oldestVersion();

        @Test
        void oldestVersionComparesAsSemanticVersions() {
            isBefore(oldest, "1.9.0", "1.10.0");
            areEqual(oldest, "1.9.0", "1.9.0");
        }

        @Test
        void oldestVersionHasAKeyThatIsNoVersionLast() {
            isBefore(oldest, "9.0.0", "latest");
            isBefore(oldest, "9.0.0", "");
            areEqual(oldest, "latest", "");
        }
    }

    @Nested
    class LargestNumber {

        private final KeyComparison largest = KeyComparison.largestNumber();

        @Test
        void largestNumberComparesAsNumbers() {
            isBefore(largest, "10", "9.5");
            areEqual(largest, "1", "1.0");
        }

        @Test
        void largestNumberHasAKeyThatIsNoNumberLast() {
            isBefore(largest, "-5", "many");
            isBefore(largest, "-5", "");
            areEqual(largest, "many", "");
        }
    }

    @Nested
    class SmallestNumber {

        private final KeyComparison smallest = KeyComparison.smallestNumber();

        @Test
        void smallestNumberComparesAsNumbers() {
            isBefore(smallest, "9.5", "10");
            areEqual(smallest, "1", "1.0");
        }

        @Test
        void smallestNumberHasAKeyThatIsNoNumberLast() {
            isBefore(smallest, "1000", "many");
            isBefore(smallest, "1000", "");
            areEqual(smallest, "many", "");
        }
    }

    @Nested
    class OrderedList {

        private final KeyComparison ordered = KeyComparison.orderedList(List.of("frankfurt", "paris"));

        @Test
        void orderedListComparesByPosition() {
            isBefore(ordered, "frankfurt", "paris");
            areEqual(ordered, "paris", "paris");
        }

        @Test
        void orderedListHasAKeyThatIsNotInItLast() {
            isBefore(ordered, "paris", "tokyo");
            areEqual(ordered, "tokyo", "");
        }
    }
}
