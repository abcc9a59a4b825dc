package io.cle.evidence.peers.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.cle.evidence.process.Surroundings;

/**
 * The program: {@code java -jar peers.jar}; see {@link Options}. Prints the table to standard output and what it is doing to standard error, and
 * writes {@code table.md}, {@code chart.svg}, {@code measurements.csv} and {@code events.csv} beside the logs of all processes. Exits with 0 when
 * everything could be tried, whatever the figures are.
 */
public final class Peers {

    private static final int FAILED = 1;
    private static final int USAGE = 64;

    private Peers() {}

    /** Measures, and exits. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(USAGE);
            return;
        }
        List<Path> missing = options.missing();
        if (!missing.isEmpty()) {
            System.err.println("there is no " + missing + "; build the project first, and start in its root");
            System.exit(USAGE);
        }
        Path directory = options.directory();
        Files.createDirectories(directory);
        Files.deleteIfExists(directory.resolve("events.csv"));
        Results results = new Results();
        boolean all = measure(options, results);
        write(results, directory);
        System.out.println(Files.readString(directory.resolve("table.md")));
        System.exit(all ? 0 : FAILED);
    }

    private static void write(Results results, Path directory) throws IOException {
        List<String> versions =
                results.contestants().stream().map(Contestant::version).toList();
        Files.writeString(directory.resolve("measurements.csv"), results.csv());
        Files.writeString(directory.resolve("table.md"), results.markdown(versions));
        Files.writeString(directory.resolve("chart.svg"), Chart.svg(results));
    }

    private static boolean measure(Options options, Results results) throws IOException, InterruptedException {
        boolean all = true;
        results.remark(Surroundings.machine());
        String load = Surroundings.load();
        for (Contestant contestant : options.contestants()) {
            if (Row.JAR.appliesTo(contestant)) {
                results.add(Row.JAR, contestant, 1, (contestant.bytes() - Contestant.BARE.bytes()) / 1e6);
            }
        }
        if (options.contestants().stream().anyMatch(Contestant::needsDatabase)
                && Postgres.programs().isEmpty()) {
            results.remark(
                    "Spring Integration: only its jar is measured, because there is no PostgreSQL; PEERS_POSTGRES is not set.");
        }
        for (Scenario.Kind kind : options.scenarios()) {
            int trials = kind.scenario().trials(options);
            try (Arena arena = new Arena(options)) {
                results.remark(Surroundings.apiServer(arena.api(), Path.of(System.getenv("KUBEBUILDER_ASSETS"))));
                for (int trial = 1; trial <= trials; trial++) {
                    System.err.println(kind + ": trial " + trial + " of " + trials);
                    kind.scenario().trial(trial, arena, results);
                }
            } catch (RuntimeException e) {
                System.err.println(kind + " has failed: " + e);
                results.remark("`" + kind + "` could not be measured: " + e.getMessage());
                all = false;
            }
            write(results, options.directory());
        }
        results.remark("Load average: " + load + " at the start, " + Surroundings.load() + " at the end.");
        return all;
    }
}
