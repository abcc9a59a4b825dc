package io.cle.test.simulation;

import java.time.Duration;
import java.util.Locale;

import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** However long the API server was away, a process leads soon after its return (safety.md#candidate-again). */
class OutageTest {

    private static final int SEEDS = 8;

    /** Allows for the slowest clock of a scenario, and for checking for a leader only four times a second. */
    private static final double SLOWEST_CLOCK = 1.5;

    @ParameterizedTest
    @EnumSource(names = {"LEASES", "ENDPOINTS", "COORDINATED", "PRIORITIZED"})
    void aProcessLeadsWithinARetryPeriodAndASecondOfTheReturn(ClusterKind kind) {
        double slowest = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            for (int seconds : new int[] {26, 40, 180}) {
                for (boolean halfOpen : new boolean[] {false, true}) {
                    Scenario scenario = Scenario.of(kind, seed, 3);
                    if (!scenario.comesToALeader()) {
                        continue;
                    }
                    SimulationResult result =
                            Simulation.runWithOutage(scenario, seed, Duration.ofSeconds(seconds), halfOpen);
                    assertThat(result.violation()).as(result.describe()).isNull();
                    double bound = scenario.timings().retryPeriod().toMillis() / 1000.0 + 1;
                    slowest = Math.max(slowest, result.healedIn() / bound);
                }
            }
        }
        System.out.printf(Locale.ROOT, "%s: a leader within %.2f of the bound%n", kind, slowest);
        assertThat(slowest).isLessThan(SLOWEST_CLOCK);
    }
}
