package io.cle.evidence.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The result of a run, computed from its history alone: violations and figures. */
final class ChaosReport {

    /** The longest allowed time from the end of all faults until there is a leader. */
    private static final Duration HEALING = Duration.ofSeconds(60);

    private final History history;
    private final List<RecordedTerm> terms;

    ChaosReport(History history) {
        this.history = history;
        this.terms = history.terms().stream()
                .sorted(Comparator.comparingLong(RecordedTerm::from))
                .toList();
    }

    /** Returns the violations as text; empty if every guarantee was kept. */
    List<String> violations() {
        List<String> all = new ArrayList<>(overlaps());
        all.addAll(tokensThatDidNotGrow());
        all.addAll(staleWritesAccepted());
        all.addAll(termsBeyondARestore());
        all.addAll(contradictions());
        if (healed().isNegative() || healed().compareTo(HEALING) > 0) {
            all.add("there was no leader within " + HEALING.toSeconds() + " s after the end of all faults");
        }
        return all;
    }

    /** Returns cases in which two processes, or two terms of one, led at the same time: safety.md#deadline-from-send. */
    List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            RecordedTerm first = terms.get(i);
            for (int j = i + 1; j < terms.size() && terms.get(j).from() <= first.to(); j++) {
                overlaps.add("two led at once: " + first + " and " + terms.get(j));
            }
        }
        return overlaps;
    }

    /** Returns terms whose token isn't above the previous term's, without a restore in between: safety.md#fencing-token. */
    List<String> tokensThatDidNotGrow() {
        List<String> bad = new ArrayList<>();
        for (int i = 1; i < terms.size(); i++) {
            RecordedTerm before = terms.get(i - 1);
            RecordedTerm term = terms.get(i);
            if (history.epoch(before.from()) == history.epoch(term.from()) && term.token() <= before.token()) {
                bad.add("a token did not grow: " + term + " after " + before);
            }
        }
        return bad;
    }

    /** Returns writes that the shared file accepted after one with a higher token, or from a term before a restore. */
    List<String> staleWritesAccepted() {
        Set<String> led = new HashSet<>();
        terms.forEach(term -> led.add(key(history.epoch(term.from()), term.process(), term.token())));
        List<String> stale = new ArrayList<>();
        long highest = Long.MIN_VALUE;
        int epoch = 0;
        for (History.Write write : history.writes().stream()
                .sorted(Comparator.comparingLong(History.Write::at))
                .toList()) {
            if (history.epoch(write.at()) != epoch) {
                epoch = history.epoch(write.at());
                highest = Long.MIN_VALUE;
            }
            if (!write.accepted()) {
                continue;
            }
            if (write.token() < highest) {
                stale.add("a stale write was accepted: " + write + " after the token " + highest);
            } else if (!led.contains(key(epoch, write.process(), write.token()))) {
                stale.add("a write was accepted under no term of its process: " + write);
            }
            highest = Math.max(highest, write.token());
        }
        return stale;
    }

    private static String key(int epoch, String process, long token) {
        return epoch + " " + process + " " + token;
    }

    /**
     * Returns terms that continued beyond a restore, although all kube-apiservers were down for a lease duration before
     * it was served: safety.md#succession.
     */
    List<String> termsBeyondARestore() {
        return terms.stream()
                .filter(term -> history.epoch(term.from()) != history.epoch(term.to()))
                .map(term -> "a term went on beyond a restore: " + term)
                .toList();
    }

    /** Returns impossible records: the processes' clocks differed, or the file isn't what was recorded. */
    private List<String> contradictions() {
        Map<String, Long> started = new HashMap<>();
        history.starts().forEach(start -> started.put(start.process(), start.at()));
        List<String> bad = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (RecordedTerm term : terms) {
            Long start = started.get(term.process());
            if (start == null || term.from() < start || term.to() > history.end() || term.to() < term.from()) {
                bad.add("a term is outside of the life of its process: " + term);
            }
            if (!seen.add(key(history.epoch(term.from()), term.process(), term.token()))) {
                bad.add("a term came back after it had ended: " + term);
            }
        }
        return bad;
    }

    /**
     * A time without a leader.
     *
     * @param from the last check in which the old leader was leading
     * @param to the first check in which the next one was leading
     */
    private record Gap(long from, long to) {

        long length() {
            return to - from;
        }

        long without(List<History.Strike> outages) {
            return length()
                    - outages.stream()
                            .mapToLong(outage -> Math.max(0, Math.min(outage.to(), to) - Math.max(outage.from(), from)))
                            .sum();
        }
    }

    private List<Gap> gaps() {
        return IntStream.range(1, terms.size())
                .mapToObj(i -> new Gap(terms.get(i - 1).to(), terms.get(i).from()))
                .toList();
    }

    /** Returns the longest time without a leader. */
    Duration longestGap() {
        return History.micros(gaps().stream().mapToLong(Gap::length).max().orElse(0));
    }

    /** Returns the longest time without a leader, minus the times in which there was no control plane. */
    Duration longestGapWithControlPlane() {
        List<History.Strike> outages = history.faults().stream()
                .filter(strike -> strike.fault().isOutage())
                .toList();
        return History.micros(
                gaps().stream().mapToLong(gap -> gap.without(outages)).max().orElse(0));
    }

    /** Formats the longest times without a leader, each with the faults meanwhile. */
    String longestGaps(int count) {
        return gaps().stream()
                .sorted(Comparator.comparingLong(Gap::length).reversed())
                .limit(count)
                .map(gap -> String.format(
                        Locale.ROOT,
                        "no leader for %.1f s from %.1f s on: %s",
                        gap.length() / 1e6,
                        gap.from() / 1e6,
                        history.faults().stream()
                                .filter(strike -> strike.from() <= gap.to() && strike.to() >= gap.from())
                                .sorted(Comparator.comparingLong(History.Strike::from))
                                .map(strike -> String.format(
                                        Locale.ROOT,
                                        "%s %s (%.1f–%.1f s)",
                                        strike.fault(),
                                        strike.target(),
                                        strike.from() / 1e6,
                                        strike.to() / 1e6))
                                .collect(Collectors.joining(", "))))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the share of time with a leader, from the first leader to the end of all faults. */
    double led() {
        if (terms.isEmpty() || history.healed() < 0) {
            return 0;
        }
        long from = terms.get(0).from();
        long led = terms.stream()
                .mapToLong(term -> Math.max(0, Math.min(term.to(), history.healed()) - term.from()))
                .sum();
        return (double) led / Math.max(1, history.healed() - from);
    }

    /** Returns the time from the end of all faults until there was a leader; negative if there was none. */
    Duration healed() {
        if (history.healed() < 0) {
            return Duration.ofNanos(-1);
        }
        return terms.stream()
                .filter(term -> term.to() >= history.healed())
                .findFirst()
                .map(term -> History.micros(Math.max(0, term.from() - history.healed())))
                .orElse(Duration.ofNanos(-1));
    }

    /** Returns a Markdown table. */
    String table() {
        StringBuilder table = new StringBuilder("| what | |\n|---|---:|\n");
        for (Fault fault : Fault.values()) {
            long count = history.faults().stream()
                    .filter(strike -> strike.fault() == fault)
                    .count();
            row(table, fault.text(), count);
        }
        row(
                table,
                "time under attack",
                History.micros(Math.max(0, history.healed())).toMinutes() + " min");
        row(table, "terms", terms.size());
        row(table, "… longest time without a leader", longestGap().toMillis() + " ms");
        row(
                table,
                "… without the times when all of etcd was down or restored",
                longestGapWithControlPlane().toMillis() + " ms");
        row(table, "… share of the time with a leader", String.format(Locale.ROOT, "%.1f %%", 100 * led()));
        row(table, "a leader after the end of all faults within", healed().toMillis() + " ms");
        row(
                table,
                "writes to the shared file",
                history.writes().stream().filter(History.Write::accepted).count());
        row(
                table,
                "stale writes refused",
                history.writes().stream().filter(write -> !write.accepted()).count());
        row(table, "**stale writes accepted**", staleWritesAccepted().size());
        row(table, "**tokens that did not grow**", tokensThatDidNotGrow().size());
        row(
                table,
                "**terms that went on beyond a restore**",
                termsBeyondARestore().size());
        row(table, "**overlaps**", overlaps().size());
        return table.toString();
    }

    private static void row(StringBuilder table, String what, Object value) {
        table.append("| ").append(what).append(" | ").append(value).append(" |\n");
    }
}
