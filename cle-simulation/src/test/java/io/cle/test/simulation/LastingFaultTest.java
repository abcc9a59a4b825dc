package io.cle.test.simulation;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.LastingFault;
import io.cle.test.simulation.scenario.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The processes that a fault spares have a leader while it lasts. {@code -Dcle.lasting=1000} runs as many seeds of each fault. */
class LastingFaultTest {

    private static final int SEEDS = Integer.getInteger("cle.lasting", Effort.of(1, 2, 2));

    @ParameterizedTest
    @EnumSource
    void theOthersHaveALeaderWhileAFaultLasts(ClusterKind kind) {
        Map<LastingFault, Double> slowest = new TreeMap<>();
        for (LastingFault fault : LastingFault.values()) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                Scenario scenario = Scenario.of(kind, seed, 3);
                if (!fault.possible(scenario) || !scenario.comesToALeader()) {
                    continue;
                }
                SimulationResult result = Simulation.runWithLastingFault(scenario, seed, fault);
                assertThat(result.violation())
                        .as(fault + ": " + result.describe())
                        .isNull();
                slowest.merge(fault, result.healedIn(), Math::max);
            }
        }
        slowest.forEach((fault, seconds) ->
                System.out.printf(Locale.ROOT, "%s, %s: a leader within %.0f s%n", kind, fault, seconds));
    }
}
