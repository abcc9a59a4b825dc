package io.cle.evidence.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.cle.evidence.process.Series;

/** Table of the costs of events in several trials. Not thread-safe. */
final class ShardCosts {

    private static final List<String> HEAD = List.of(
            "64 shards on eight processes",
            "shards moved",
            "had to",
            "without a leader, longest",
            "all shards together",
            "until balanced",
            "most on one process");

    private final Map<ShardEvent, List<ShardTimeline.Cost>> costs = new EnumMap<>(ShardEvent.class);

    /** Adds the cost of an event in a trial. */
    void add(ShardEvent event, ShardTimeline.Cost cost) {
        costs.computeIfAbsent(event, unused -> new ArrayList<>()).add(cost);
    }

    /** Returns the table in Markdown, with ✗ if the median misses its goal; empty if nothing was measured. */
    String markdown() {
        if (costs.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append("| ").append(String.join(" | ", HEAD)).append(" |\n");
        text.append("|---".repeat(HEAD.size())).append("|\n");
        costs.forEach((event, trials) -> {
            Series moves = series(trials, ShardTimeline.Cost::moves);
            Series fewest = series(trials, ShardTimeline.Cost::fewestMoves);
            Series longest = series(trials, ShardTimeline.Cost::longest);
            Series balanced = series(trials, ShardTimeline.Cost::untilBalanced);
            text.append("| ")
                    .append(String.join(
                            " | ",
                            event.title(),
                            text(moves, "") + (moves.median() > fewest.median() ? " ✗" : ""),
                            text(fewest, ""),
                            text(longest, "ms") + missed(longest, event.longest()),
                            text(series(trials, ShardTimeline.Cost::sum), "ms"),
                            text(balanced, "ms") + missed(balanced, event.balanced()),
                            text(series(trials, ShardTimeline.Cost::most), "")))
                    .append(" |\n");
        });
        return text.toString();
    }

    private static String missed(Series series, int goal) {
        return goal > 0 && series.median() > goal ? " ✗ (≤ " + Series.number(goal) + ")" : "";
    }

    /** Returns the median and the range, or one number if all trials had the same. */
    private static String text(Series series, String unit) {
        return series.text(unit).replaceFirst("^(\\S+)(.*) \\(\\1–\\1\\)$", "$1$2");
    }

    private static Series series(List<ShardTimeline.Cost> trials, ToDoubleFunction<ShardTimeline.Cost> figure) {
        Series series = new Series();
        trials.forEach(cost -> series.add(figure.applyAsDouble(cost)));
        return series;
    }
}
