package io.cle.evidence.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Options of a run.
 *
 * @param time how long faults are injected
 * @param workers the number of replicas
 * @param coordinators the number of coordinators
 * @param seed the seed of the faults; it doesn't determine the processes' own timing
 * @param coordinatorJar the coordinator's executable jar
 * @param history the file for the history
 */
record ChaosOptions(Duration time, int workers, int coordinators, long seed, Path coordinatorJar, Path history) {

    private static final String USAGE = """
            usage: java -jar evidence/chaos/target/chaos.jar [--minutes=2] [--workers=4] [--coordinators=2] [--seed=N]
                       [--coordinator-jar=cle-coordinator-app/target/cle-coordinator-app.jar] [--history=chaos-history.gz]
                   java -jar evidence/chaos/target/chaos.jar check FILE
            KUBEBUILDER_ASSETS must name the directory that holds kube-apiserver and etcd.""";

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException with the usage if it can't be read
     */
    static ChaosOptions parse(List<String> args) {
        Map<String, String> values = new HashMap<>(Map.of(
                "--minutes", "2",
                "--workers", "4",
                "--coordinators", "2",
                "--seed", String.valueOf(System.nanoTime()),
                "--history", "chaos-history.gz",
                "--coordinator-jar", "cle-coordinator-app/target/cle-coordinator-app.jar"));
        for (String arg : args) {
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            if (equals < 0 || values.replace(name, arg.substring(equals + 1)) == null) {
                throw new IllegalArgumentException("unknown argument '" + arg + "'\n" + USAGE);
            }
        }
        Path jar = Path.of(values.get("--coordinator-jar"));
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException(
                    "there is no coordinator at " + jar + "; build it by ./mvnw -q -DskipTests package\n" + USAGE);
        }
        double minutes = Double.parseDouble(values.get("--minutes"));
        return new ChaosOptions(
                Duration.ofMillis((long) (minutes * 60_000)),
                Integer.parseInt(values.get("--workers")),
                Integer.parseInt(values.get("--coordinators")),
                Long.parseLong(values.get("--seed")),
                jar,
                Path.of(values.get("--history")));
    }
}
