package io.cle.test.simulation;

import java.util.List;

/**
 * Runs a seed again and prints what happens, a line each:
 *
 * <pre>{@code
 * java -cp <class path of cle-test> io.cle.test.simulation.Replay COORDINATED 42 5
 * }</pre>
 *
 * The arguments are the kind of cluster, the seed and the number of candidates.
 */
public final class Replay {

    private Replay() {}

    /** Runs the seed that the arguments name; ends with 1 where something was violated. */
    public static void main(String[] arguments) {
        if (arguments.length != 3) {
            System.err.println(
                    "usage: Replay <kind of cluster> <seed> <candidates>; kinds are " + List.of(ClusterKind.values()));
            System.exit(2);
        }
        Scenario scenario = Scenario.of(
                ClusterKind.valueOf(arguments[0]), Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        SimulationResult result = Simulation.runWithTranscript(scenario, Long.parseLong(arguments[1]));
        result.transcript().forEach(System.out::println);
        System.out.println(result.ok() ? "all is well" : "VIOLATED: " + result.violation());
        System.exit(result.ok() ? 0 : 1);
    }

    /** The command that runs a seed again. */
    static String command(Scenario scenario, long seed) {
        return "java -cp \"$CLASSPATH\" " + Replay.class.getName() + " " + scenario.kind() + " " + seed + " "
                + scenario.candidates();
    }
}
