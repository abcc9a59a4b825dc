package io.cle.test.simulation;

import java.io.PrintStream;

/**
 * Runs a seed again and prints what happens, a line each:
 *
 * <pre>{@code
 * java -cp <class path of cle-test> io.cle.test.simulation.Replay COORDINATED:42
 * }</pre>
 *
 * The argument is a {@link SimulationSeed}, as it's printed with whatever a seed has found.
 */
public final class Replay {

    private Replay() {}

    /** Runs the seed that the argument names; ends with 1 where something was violated, and with 2 where there is no such seed. */
    public static void main(String[] arguments) {
        SimulationSeed seed;
        try {
            seed = SimulationSeed.parse(String.join(":", arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.exit(replay(seed, System.out).ok() ? 0 : 1);
    }

    /** Runs a seed and tells what happens. */
    static SimulationResult replay(SimulationSeed seed, PrintStream out) {
        SimulationResult result = Simulation.runWithTranscript(seed.scenario(), seed.seed());
        result.transcript().forEach(out::println);
        out.println(result.ok() ? "all is well" : "VIOLATED: " + result.violation());
        return result;
    }
}
