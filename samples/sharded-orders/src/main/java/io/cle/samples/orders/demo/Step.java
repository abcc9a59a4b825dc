package io.cle.samples.orders.demo;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.cle.samples.narration.Stopwatch;

/**
 * The cost of a step of the story. Times are in nanoseconds.
 *
 * @param title the event
 * @param moves how many shards moved to another replica
 * @param fewestMoves how many shards had to move at least
 * @param longest the longest time for which a shard had no leader
 * @param sum the total time for which shards had no leader
 * @param untilEven from the last event until the shards were spread evenly
 */
record Step(String title, int moves, int fewestMoves, long longest, long sum, long untilEven) {

    private static final List<String> HEAD = List.of(
            "step",
            "shards moved",
            "had to move",
            "without leader: longest (ms)",
            "all shards (ms)",
            "even after (ms)");

    /** Formats steps as a table. */
    static String table(List<Step> steps) {
        List<List<String>> rows = IntStream.rangeClosed(0, steps.size())
                .mapToObj(i -> i == 0 ? HEAD : steps.get(i - 1).cells())
                .toList();
        return rows.stream()
                .map(row -> IntStream.range(0, HEAD.size())
                        .mapToObj(column -> pad(row.get(column), width(rows, column), column == 0))
                        .collect(Collectors.joining("  ", "  ", "")))
                .collect(Collectors.joining("\n"));
    }

    private List<String> cells() {
        return List.of(
                title,
                String.valueOf(moves),
                String.valueOf(fewestMoves),
                Stopwatch.millis(longest),
                Stopwatch.millis(sum),
                Stopwatch.millis(untilEven));
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }

    private static String pad(String text, int width, boolean left) {
        return String.format(Locale.ROOT, "%" + (left ? "-" : "") + width + "s", text);
    }
}
