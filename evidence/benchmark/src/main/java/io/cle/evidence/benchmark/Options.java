package io.cle.evidence.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The measurements to make, and the jars to use.
 *
 * @param trials how often each is repeated
 * @param rows the names of the scenarios
 * @param quick whether to skip slow scenarios
 * @param candidate the jar of an application on the starter
 * @param coordinator the coordinator's jar
 */
record Options(int trials, List<String> rows, boolean quick, Path candidate, Path coordinator) {

    static final int DEFAULT_TRIALS = 4;

    static final String USAGE = """
            java -jar benchmark.jar [--trials=4] [--rows=a,b,…] [--quick] [--candidate=candidate.jar] [--coordinator=cle-coordinator-app.jar]
              KUBEBUILDER_ASSETS must name the directory of kube-apiserver and etcd; CLE_NATIVE_ASSETS may name that of a
              Kubernetes of 1.33 or newer. Rows: %s. The row aotcache needs Java 25 or newer. Without --candidate and --coordinator
              the jars are where the build puts them, seen from the root of the project.""";

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static Options parse(List<String> args) {
        int trials = DEFAULT_TRIALS;
        boolean quick = false;
        List<String> known =
                Stream.of(Scenario.Kind.values()).map(Options::nameOf).toList();
        List<String> rows = known;
        Path candidate = Path.of("samples", "candidate", "target", "candidate.jar");
        Path coordinator = Path.of("cle-coordinator-app", "target", "cle-coordinator-app.jar");
        for (String arg : args) {
            String value = arg.substring(arg.indexOf('=') + 1);
            if (arg.startsWith("--trials=")) {
                trials = trials(value);
            } else if (arg.startsWith("--rows=")) {
                rows = rows(value, known);
            } else if (arg.equals("--quick")) {
                quick = true;
            } else if (arg.startsWith("--candidate=")) {
                candidate = Path.of(value);
            } else if (arg.startsWith("--coordinator=")) {
                coordinator = Path.of(value);
            } else {
                throw new IllegalArgumentException(
                        "unknown argument '" + arg + "'\n" + USAGE.formatted(String.join(", ", known)));
            }
        }
        return new Options(quick ? 1 : trials, rows, quick, candidate, coordinator);
    }

    private static int trials(String value) {
        if (!value.matches("[1-9]\\d?")) {
            throw new IllegalArgumentException("--trials=" + value + ": must be a number from 1 to 99");
        }
        return Integer.parseInt(value);
    }

    private static List<String> rows(String value, List<String> known) {
        List<String> rows = new ArrayList<>(List.of(value.split(",")));
        rows.removeAll(known);
        if (!rows.isEmpty()) {
            throw new IllegalArgumentException("--rows=" + value + ": there is no " + rows + ", only " + known);
        }
        return List.of(value.split(","));
    }

    static String nameOf(Scenario.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
