package io.cle.samples.chaos;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The command: makes a run, or is one of its replicas. Exits 0 only if no two processes ever led at once and no stale write was accepted. */
public final class ChaosMain {

    private ChaosMain() {}

    /** See {@code --help}. */
    public static void main(String[] args) throws IOException {
        List<String> arguments = Arrays.asList(args);
        if (!arguments.isEmpty() && arguments.get(0).equals("worker")) {
            Worker.run(arguments.subList(1, arguments.size()));
            return;
        }
        ChaosOptions options;
        try {
            options = ChaosOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.println("seed " + options.seed());
        ChaosReport report;
        try (Chaos chaos = new Chaos(options)) {
            report = chaos.run();
            System.out.println("records and logs are in " + chaos.directory());
        }
        System.out.println();
        System.out.println(report.table());
        RecordedTerm.overlaps(report.terms()).forEach(overlap -> System.out.println("two led at once: " + overlap));
        System.exit(report.good() ? 0 : 1);
    }
}
