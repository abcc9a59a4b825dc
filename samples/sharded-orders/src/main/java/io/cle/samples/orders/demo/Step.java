package io.cle.samples.orders.demo;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.cle.samples.narration.Stopwatch;

/**
 * What a step of the story has cost. Times are in nanoseconds.
 *
 * @param title what happened
 * @param moves how many shards have begun to be led by another replica than before
 * @param fewestMoves how many had to
 * @param longest the longest time for which a shard had no leader
 * @param sum the times for which shards had no leader, added up
 * @param untilEven from the last event until all shards were led evenly
 */
record Step(String title, int moves, int fewestMoves, long longest, long sum, long untilEven) {

    private static final List<String> HEAD = List.of(
            "step",
            "shards moved",
            "had to move",
            "without leader: longest (ms)",
            "all shards (ms)",
            "even after (ms)");

    /** Returns a table of some steps. */
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
