package io.cle.evidence.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * All events of a run, saved to a file for anybody to check: gzipped ASCII, one line per event, words separated by one
 * space. Instants are in microseconds since the run began, by the monotonic clock of the one machine that all processes
 * run on. Lines are in the order of their first instant; lines of writes are in the order of the shared file.
 *
 * <table>
 * <caption>Lines</caption>
 * <tr><td>{@code cle-chaos-history 1}</td><td>the first line: the format and its version</td></tr>
 * <tr><td>{@code run SEED LEASE_DURATION END}</td><td>the second line: the seed of the faults, the lease duration, the end of the run</td></tr>
 * <tr><td>{@code start AT PROCESS}</td><td>a process that can lead is started</td></tr>
 * <tr><td>{@code term FROM TO PROCESS TOKEN}</td><td>the process observed itself leading at both instants and at each check between, under
 * this fencing token</td></tr>
 * <tr><td>{@code fault FROM TO KIND TARGET}</td><td>a fault, with its duration and target; its kind is a constant of
 * {@link Fault}</td></tr>
 * <tr><td>{@code restored AT}</td><td>from now on kube-apiservers may serve the state of a backup. All have been stopped for a lease duration
 * before</td></tr>
 * <tr><td>{@code write AT PROCESS TOKEN OUTCOME}</td><td>a write to the shared file: {@code accepted} or {@code refused}</td></tr>
 * <tr><td>{@code healed AT}</td><td>all faults are over</td></tr>
 * </table>
 *
 * @param seed the seed of the faults
 * @param leaseDuration the lease duration, in microseconds
 * @param end when the last process was ended
 * @param healed when all faults were over; negative if the run failed before
 */
record History(
        long seed,
        long leaseDuration,
        long end,
        long healed,
        List<Start> starts,
        List<RecordedTerm> terms,
        List<Strike> faults,
        List<Long> restores,
        List<Write> writes) {

    private static final String FORMAT = "cle-chaos-history 1";

    /** A process that can lead was started. */
    record Start(long at, String process) {}

    /** A fault and its target. */
    record Strike(long from, long to, Fault fault, String target) {}

    /** A write to the shared file. */
    record Write(long at, String process, long token, boolean accepted) {}

    /** Writes the history to a file. */
    void save(Path file) throws IOException {
        record Line(long at, String text) {}
        List<Line> lines = new ArrayList<>();
        starts.forEach(start -> lines.add(new Line(start.at, "start " + start.at + " " + start.process)));
        terms.forEach(term -> lines.add(new Line(
                term.from(), "term " + term.from() + " " + term.to() + " " + term.process() + " " + term.token())));
        faults.forEach(strike -> lines.add(new Line(
                strike.from, "fault " + strike.from + " " + strike.to + " " + strike.fault + " " + strike.target)));
        restores.forEach(at -> lines.add(new Line(at, "restored " + at)));
        writes.forEach(write -> lines.add(new Line(
                write.at,
                "write " + write.at + " " + write.process + " " + write.token + " "
                        + (write.accepted ? "accepted" : "refused"))));
        if (healed >= 0) {
            lines.add(new Line(healed, "healed " + healed));
        }
        lines.sort(Comparator.comparingLong(Line::at));
        try (Writer out =
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.US_ASCII)) {
            out.write(FORMAT + "\n");
            out.write("run " + seed + " " + leaseDuration + " " + end + "\n");
            for (Line line : lines) {
                out.write(line.text + "\n");
            }
        }
    }

    /**
     * Reads a history from a file.
     *
     * @throws IllegalArgumentException with the number and the text of a malformed line
     */
    static History load(Path file) throws IOException {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.US_ASCII))) {
            return parse(in.lines().toList());
        }
    }

    /** Parses the lines of a history. */
    static History parse(List<String> lines) {
        if (lines.size() < 2 || !lines.get(0).equals(FORMAT) || !lines.get(1).startsWith("run ")) {
            throw new IllegalArgumentException("a history begins with the lines '" + FORMAT + "' and 'run …'");
        }
        long[] run = {0, 0, 0};
        long healed = -1;
        List<Start> starts = new ArrayList<>();
        List<RecordedTerm> terms = new ArrayList<>();
        List<Strike> faults = new ArrayList<>();
        List<Long> restores = new ArrayList<>();
        List<Write> writes = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] words = lines.get(i).split(" ", -1);
            try {
                requireWords(words);
                switch (words[0]) {
                    case "run" -> run = new long[] {number(words[1]), number(words[2]), number(words[3])};
                    case "start" -> starts.add(new Start(number(words[1]), words[2]));
                    case "term" ->
                        terms.add(new RecordedTerm(words[3], number(words[4]), number(words[1]), number(words[2])));
                    case "fault" ->
                        faults.add(new Strike(number(words[1]), number(words[2]), Fault.valueOf(words[3]), words[4]));
                    case "restored" -> restores.add(number(words[1]));
                    case "write" ->
                        writes.add(new Write(number(words[1]), words[2], number(words[3]), accepted(words[4])));
                    case "healed" -> healed = number(words[1]);
                    default -> throw new IllegalArgumentException("unknown event " + words[0]);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "line " + (i + 1) + ", '" + lines.get(i) + "': " + e.getMessage(), e);
            }
        }
        return new History(run[0], run[1], run[2], healed, starts, terms, faults, restores, writes);
    }

    private static void requireWords(String[] words) {
        int expected = switch (words[0]) {
            case "restored", "healed" -> 2;
            case "start" -> 3;
            case "run" -> 4;
            default -> 5;
        };
        if (words.length != expected) {
            throw new IllegalArgumentException("it should have " + expected + " words");
        }
    }

    private static long number(String word) {
        return Long.parseLong(word);
    }

    private static boolean accepted(String word) {
        return switch (word) {
            case "accepted" -> true;
            case "refused" -> false;
            default -> throw new IllegalArgumentException("a write is accepted or refused, not " + word);
        };
    }

    /** Returns the number of the last restore at or before an instant; 0 before the first one. */
    int epoch(long at) {
        return (int) restores.stream().filter(restored -> restored <= at).count();
    }

    /** Converts microseconds to a duration. */
    static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1000);
    }
}
