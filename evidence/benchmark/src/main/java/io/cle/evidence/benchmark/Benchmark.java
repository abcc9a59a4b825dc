package io.cle.evidence.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.cle.evidence.process.Surroundings;
import io.cle.fencing.jdbc.Postgresql;

/**
 * The program: {@code java -jar benchmark.jar}; see {@link Options#USAGE}. Prints a Markdown table to standard output,
 * and progress to standard error. Exits with 0 if everything could be measured, whatever the figures are.
 */
public final class Benchmark {

    private static final int FAILED = 1;
    private static final int USAGE = 64;

    private Benchmark() {}

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
        Results results = new Results();
        boolean all = measure(options, results);
        System.out.println(results.markdown());
        results.missed().forEach(line -> System.err.println("missed: " + line.title() + ", " + line.goal()));
        System.exit(all ? 0 : FAILED);
    }

    private static boolean measure(Options options, Results results) throws InterruptedException {
        boolean all = true;
        String load = Surroundings.load();
        results.remark(Surroundings.machine());
        for (Scenario.Kind kind : Scenario.Kind.values()) {
            boolean wanted = options.rows().contains(Options.nameOf(kind)) && !(options.quick() && kind.takesLong());
            if (kind.needs() == Lab.Needs.NATIVE_API_SERVER && System.getenv("CLE_NATIVE_ASSETS") == null) {
                results.remark("Native format: not measured, as CLE_NATIVE_ASSETS is not set.");
            } else if (kind.needs() == Lab.Needs.AOT_CACHES && !AotCache.supported()) {
                results.remark("AOT cache: not measured, because it needs Java " + AotCache.SINCE + " or newer.");
            } else if (kind.needs() == Lab.Needs.POSTGRESQL && !Postgresql.available()) {
                results.remark(
                        "Fencing: not measured, because PostgreSQL isn't installed (Debian's package postgresql).");
            } else if (wanted) {
                all &= measure(kind, options, results);
            }
        }
        results.remark("Load average: " + load + " at the start, " + Surroundings.load() + " at the end.");
        return all;
    }

    private static boolean measure(Scenario.Kind kind, Options options, Results results) throws InterruptedException {
        int trials = kind.scenario().trials(options);
        try (Lab lab = Lab.open(options, kind.needs())) {
            boolean ofKubernetes = kind.needs() == Lab.Needs.NATIVE_API_SERVER;
            String assets = System.getenv(ofKubernetes ? "CLE_NATIVE_ASSETS" : "KUBEBUILDER_ASSETS");
            results.remark((ofKubernetes ? "Native format: " : "")
                    + Surroundings.apiServer(lab.api(), Path.of(String.valueOf(assets))));
            for (int trial = 1; trial <= trials; trial++) {
                System.err.println(Options.nameOf(kind) + ": trial " + trial + " of " + trials);
                kind.scenario().trial(trial, lab, results);
            }
            return true;
        } catch (RuntimeException e) {
            System.err.println(Options.nameOf(kind) + " has failed: " + e);
            results.remark("`" + Options.nameOf(kind) + "` could not be measured: " + e.getMessage());
            return false;
        }
    }
}
