package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The command: starts a run, checks the history of one, or is one of its replicas. Exits 0 only if no two processes
 * ever led at once and no stale write was accepted.
 */
public final class ChaosMain {

    /** How many of the longest times without a leader are printed. */
    private static final int GAPS = 5;

    private ChaosMain() {}

    /** See {@link ChaosOptions}. */
    public static void main(String[] args) throws IOException {
        List<String> arguments = Arrays.asList(args);
        if (!arguments.isEmpty() && arguments.get(0).equals("worker")) {
            Worker.run(arguments.subList(1, arguments.size()));
            return;
        }
        if (arguments.size() == 2 && arguments.get(0).equals("check")) {
            judge(History.load(Path.of(arguments.get(1))));
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
        try (Chaos chaos = new Chaos(options)) {
            System.out.println("records and logs are in " + chaos.directory());
            chaos.run();
        }
        System.out.println("the history is in " + options.history());
        // The figures are computed from the file, so that anybody can reproduce them.
        judge(History.load(options.history()));
    }

    private static void judge(History history) {
        ChaosReport report = new ChaosReport(history);
        System.out.println();
        System.out.println(report.table());
        System.out.println(report.longestGaps(GAPS));
        System.out.println();
        List<String> violations = report.violations();
        violations.forEach(System.out::println);
        System.exit(violations.isEmpty() ? 0 : 1);
    }
}
