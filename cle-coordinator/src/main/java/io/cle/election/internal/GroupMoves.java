package io.cle.election.internal;

import java.util.Optional;

/**
 * How many leases of a group may move to another candidate at a time: a number, or a share of the group as a percentage. At least one may.
 *
 * @param value the number or the percentage
 * @param isPercentage whether the value is a percentage
 */
public record GroupMoves(int value, boolean isPercentage) {

    /** A quarter of the group. */
    public static final GroupMoves DEFAULT = new GroupMoves(25, true);

    private static final int ALL = 100;

    /** Parses {@code 3} or {@code 25%}; empty if the text is neither, the number is below 1, or the percentage isn't between 1 and 100. */
    public static Optional<GroupMoves> parse(String text) {
        boolean percentage = text.endsWith("%");
        try {
            int value = Integer.parseInt(
                    percentage ? text.substring(0, text.length() - 1).trim() : text);
            return value < 1 || (percentage && value > ALL)
                    ? Optional.empty()
                    : Optional.of(new GroupMoves(value, percentage));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns how many leases of a group of this size may move at a time. */
    int mostOf(int leases) {
        return isPercentage ? Math.max(1, leases * value / ALL) : value;
    }
}
