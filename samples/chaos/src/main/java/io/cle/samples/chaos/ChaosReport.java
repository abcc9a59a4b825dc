package io.cle.samples.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What a run has come to.
 *
 * @param faults how many of each kind
 * @param terms what all processes have recorded
 * @param outages when there was no API server
 * @param written the tokens in the shared file, in order
 * @param refused how many stale writes the file has refused
 * @param healed how long it took from the end of all faults until a leader was there; negative when none came
 */
record ChaosReport(
        Map<Fault, Integer> faults,
        List<RecordedTerm> terms,
        List<Outage> outages,
        List<Long> written,
        long refused,
        Duration healed) {

    /** A time without an API server, in wall clock nanoseconds. */
    record Outage(long from, long to) {}

    boolean good() {
        return RecordedTerm.overlaps(terms).isEmpty()
                && RecordedTerm.withoutGrowingToken(terms).isEmpty()
                && staleWritesAccepted() == 0
                && !healed.isNegative();
    }

    long staleWritesAccepted() {
        long stale = 0;
        for (int i = 1; i < written.size(); i++) {
            if (written.get(i) < written.get(i - 1)) {
                stale++;
            }
        }
        return stale;
    }

    /** The longest time without a leader, without the times in which there was no API server. */
    Duration longestGap() {
        List<RecordedTerm> sorted = terms.stream()
                .sorted(Comparator.comparingLong(RecordedTerm::from))
                .toList();
        long longest = 0;
        for (int i = 1; i < sorted.size(); i++) {
            long from = sorted.get(i - 1).to();
            long to = sorted.get(i).from();
            long without = outages.stream()
                    .mapToLong(outage -> Math.max(0, Math.min(outage.to(), to) - Math.max(outage.from(), from)))
                    .sum();
            longest = Math.max(longest, to - from - without);
        }
        return Duration.ofNanos(longest);
    }

    /** A Markdown table. */
    String table() {
        StringBuilder table = new StringBuilder("| what | |\n|---|---:|\n");
        faults.forEach((fault, count) -> row(table, fault.text(), count));
        row(table, "terms", terms.size());
        row(
                table,
                "longest time without a leader while there was an API server",
                longestGap().toMillis() + " ms");
        row(table, "a leader after the end of all faults within", healed.toMillis() + " ms");
        row(table, "writes to the shared file", written.size());
        row(table, "stale writes refused", refused);
        row(table, "**stale writes accepted**", staleWritesAccepted());
        row(
                table,
                "**tokens that did not grow**",
                RecordedTerm.withoutGrowingToken(terms).size());
        row(table, "**overlaps**", RecordedTerm.overlaps(terms).size());
        return table.toString();
    }

    private static void row(StringBuilder table, String what, Object value) {
        table.append("| ").append(what).append(" | ").append(value).append(" |\n");
    }
}
