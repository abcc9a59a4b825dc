package io.cle.evidence.peers.measure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What is measured, with what, and where the results go.
 *
 * @param trials how often
 * @param coordinator this project's coordinator
 */
record Options(
        int trials, List<Scenario.Kind> scenarios, List<Contestant> contestants, Path directory, Path coordinator) {

    private static final String USAGE = """
            java -jar peers.jar [--trials=3] [--rows=handover,kill,cutoff,outage,rest] [--contestants=coordinated,leases,…] [--out=<directory>]
              Start it in the root of the project, which has been built. KUBEBUILDER_ASSETS must name the directory of kube-apiserver and
              etcd; PEERS_POSTGRES may name that of PostgreSQL's programs, if they aren't where Debian's packages have them.""";

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException with a message for the person who wrote it
     */
    static Options parse(List<String> args) {
        int trials = 3;
        List<Scenario.Kind> scenarios = List.of(Scenario.Kind.values());
        List<Contestant> contestants = List.of(Contestant.values());
        Path directory = Path.of("evidence", "peers", "measure", "target", "run");
        for (String arg : args) {
            String value = arg.substring(arg.indexOf('=') + 1);
            if (arg.matches("--trials=[1-9]\\d?")) {
                trials = Integer.parseInt(value);
            } else if (arg.startsWith("--rows=")) {
                scenarios = chosen(value, Scenario.Kind.values());
            } else if (arg.startsWith("--contestants=")) {
                contestants = chosen(value, Contestant.values());
            } else if (arg.startsWith("--out=")) {
                directory = Path.of(value);
            } else {
                throw new IllegalArgumentException("unknown argument '" + arg + "'\n" + USAGE);
            }
        }
        Path coordinator = Path.of("cle-coordinator-app", "target", "cle-coordinator-app.jar");
        return new Options(trials, scenarios, contestants, directory.toAbsolutePath(), coordinator);
    }

    private static <E extends Enum<E>> List<E> chosen(String value, E[] known) {
        List<String> names =
                List.of(value.toUpperCase(Locale.ROOT).replace('-', '_').split(","));
        List<E> chosen =
                Stream.of(known).filter(one -> names.contains(one.name())).toList();
        if (chosen.size() != names.size()) {
            throw new IllegalArgumentException("'" + value + "' must be one or more of "
                    + List.of(known).toString().toLowerCase(Locale.ROOT) + ", each once");
        }
        return chosen;
    }

    /** The jars that are needed and aren't there. */
    List<Path> missing() {
        return Stream.concat(
                        Stream.of(coordinator, Contestant.BARE.jar()),
                        contestants.stream().map(Contestant::jar))
                .distinct()
                .filter(jar -> !Files.isRegularFile(jar))
                .toList();
    }
}
