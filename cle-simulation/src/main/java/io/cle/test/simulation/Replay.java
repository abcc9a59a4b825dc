package io.cle.test.simulation;

import java.io.PrintStream;

/**
 * Runs a seed again and prints its history:
 *
 * <pre>{@code
 * java -cp <class path of cle-simulation> io.cle.test.simulation.Replay COORDINATED:42
 * }</pre>
 *
 * The argument is a {@link SimulationSeed}, as it is printed with a violation.
 */
public final class Replay {

    private Replay() {}

    /** Runs the seed that the argument names; exits with 1 if a guarantee is violated, and with 2 if there is no such seed. */
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

    /** Runs a seed and prints its history. */
    static SimulationResult replay(SimulationSeed seed, PrintStream out) {
        SimulationResult result = Simulation.runWithHistory(seed.scenario(), seed.seed());
        result.history().forEach(out::println);
        out.println(result.ok() ? "no violation" : "VIOLATED: " + result.violation());
        return result;
    }
}
