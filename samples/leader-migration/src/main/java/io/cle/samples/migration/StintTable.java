package io.cle.samples.migration;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.cle.samples.narration.Stopwatch;

/** Formats the stints: one line per job, with its moves. */
final class StintTable {

    private static final int JOB_WIDTH = 16;

    private StintTable() {}

    static String of(Board board) {
        List<Stint> stints = board.stints();
        return stints.stream()
                .map(Stint::job)
                .distinct()
                .sorted()
                .map(job -> line(
                        job,
                        stints.stream().filter(stint -> stint.job().equals(job)).toList(),
                        board))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String line(String job, List<Stint> stints, Board board) {
        String moves = stints.stream()
                .map(stint -> {
                    String arrow = board.gapBefore(stint).isPresent()
                            ? " -" + Stopwatch.millis(board.gapBefore(stint).getAsLong()) + " ms-> "
                            : "";
                    return arrow + stint.replica();
                })
                .collect(Collectors.joining());
        return String.format(Locale.ROOT, "  %-" + JOB_WIDTH + "s%s", job, moves);
    }
}
