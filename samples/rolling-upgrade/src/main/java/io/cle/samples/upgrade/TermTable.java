package io.cle.samples.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.cle.samples.narration.Stopwatch;

/** Formats terms as a table. */
final class TermTable {

    private static final List<String> HEAD = List.of(
            "term",
            "leader",
            "version",
            "from (ms)",
            "to (ms)",
            "no leader before (ms)",
            "fencing token",
            "writes",
            "ended by");

    private static final List<Boolean> TO_THE_RIGHT = List.of(true, false, false, true, true, true, true, true, false);

    private TermTable() {}

    /**
     * Returns the table.
     *
     * @param terms the terms, in order
     * @param writes returns the number of writes with a token
     */
    static String of(List<RecordedTerm> terms, ToLongFunction<Long> writes) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (int i = 0; i < terms.size(); i++) {
            RecordedTerm term = terms.get(i);
            rows.add(List.of(
                    String.valueOf(i + 1),
                    term.replica(),
                    term.version(),
                    Stopwatch.millis(term.from()),
                    term.to().isPresent() ? Stopwatch.millis(term.to().getAsLong()) : "",
                    i == 0 ? "" : gap(terms.get(i - 1).to(), term.from()),
                    String.valueOf(term.token()),
                    String.valueOf(writes.applyAsLong(term.token())),
                    term.open() ? "(still leads)" : term.end()));
        }
        List<Integer> widths = IntStream.range(0, HEAD.size())
                .mapToObj(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toList();
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
    }

    private static String gap(OptionalLong before, long from) {
        return before.isEmpty() ? "" : Stopwatch.millis(from - before.getAsLong());
    }

    private static String line(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> pad(row.get(column), widths.get(column), TO_THE_RIGHT.get(column)))
                .collect(Collectors.joining("  ", "  ", ""))
                .stripTrailing();
    }

    private static String pad(String text, int width, boolean right) {
        String blanks = " ".repeat(width - text.length());
        return right ? blanks + text : text + blanks;
    }
}
