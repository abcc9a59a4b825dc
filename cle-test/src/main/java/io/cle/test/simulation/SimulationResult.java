package io.cle.test.simulation;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What came of a seed.
 *
 * @param scenario what was simulated
 * @param seed the seed
 * @param violation what must not be and was; null when all was well
 * @param seconds how much virtual time has passed
 * @param excused how often two led because of what can't be promised, see the documentation
 * @param terms how many terms began
 * @param requests how many requests were sent
 * @param healedIn after how many virtual seconds without faults the right leader was there for good
 * @param digest tells runs apart: the same seed has the same one, always
 * @param transcript what happened, a line each; empty where nobody wanted it
 */
public record SimulationResult(
        Scenario scenario,
        long seed,
        @Nullable String violation,
        double seconds,
        int excused,
        int terms,
        int requests,
        double healedIn,
        int digest,
        List<String> transcript) {

    private static final String COMMAND = "./mvnw -q -pl cle-test -am test -Dcle.replay=";

    /** Whether all was well. */
    public boolean ok() {
        return violation == null;
    }

    /** For a person: what was found, and how to see it happen. */
    public String describe() {
        return (violation == null ? "all is well" : violation) + "; " + howToReplay();
    }

    private String howToReplay() {
        for (int candidates : new int[] {0, scenario.candidates()}) {
            SimulationSeed same = new SimulationSeed(scenario.kind(), seed, candidates);
            if (scenario.equals(same.scenario())) {
                return "replay it with: " + COMMAND + same + ", or: java " + Replay.class.getName() + " " + same;
            }
        }
        return "replay it with Simulation.runWithTranscript, seed " + seed + " and the same " + scenario;
    }
}
