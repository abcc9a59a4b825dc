package io.cle.test.simulation;

import java.util.List;
import java.util.Map;

import io.cle.test.simulation.scenario.Excuse;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * The result of one seed.
 *
 * @param scenario what was simulated
 * @param seed the seed
 * @param violation the first violation of a guarantee; null if there is none
 * @param seconds how much virtual time has passed
 * @param anomalies how often two processes led because of a known anomaly ({@code docs/evidence.md#simulation})
 * @param excuses how often the checker used each excuse
 * @param terms how many terms began
 * @param requests how many requests were sent
 * @param healedIn how many virtual seconds without faults passed until the right leader was stable
 * @param digest a hash of the history, even if no lines were kept; always the same for a seed
 * @param history one line for each event; empty if none were kept
 */
public record SimulationResult(
        Scenario scenario,
        long seed,
        @Nullable String violation,
        double seconds,
        int anomalies,
        Map<Excuse, Integer> excuses,
        int terms,
        int requests,
        double healedIn,
        int digest,
        List<String> history) {

    private static final String COMMAND = "./mvnw -q -pl cle-simulation -am test -Dcle.replay=";

    /** Whether no guarantee was violated. */
    public boolean ok() {
        return violation == null;
    }

    /** Describes what was found, with the command that replays it. */
    public String describe() {
        return (violation == null ? "no violation" : violation) + "; " + howToReplay();
    }

    private String howToReplay() {
        for (int candidates : new int[] {0, scenario.candidates()}) {
            SimulationSeed same = new SimulationSeed(scenario.kind(), seed, candidates);
            if (scenario.equals(same.scenario())) {
                return "replay it with: " + COMMAND + same + ", or: java " + Replay.class.getName() + " " + same;
            }
        }
        return "replay it with Simulation.runWithHistory, seed " + seed + " and the same " + scenario;
    }
}
