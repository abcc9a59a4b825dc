package io.cle.test.simulation;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class SimulationTest {

    private static final int FIXED = 100;
    private static final String FRESH = "cle.simulation.fresh";

    @ParameterizedTest
    @EnumSource
    void noFixedSeedFindsTwoLeadersOrNone(ClusterKind kind) {
        LongStream.rangeClosed(1, FIXED).forEach(seed -> run(Scenario.of(kind, seed), seed));
    }

    /** By {@code -Dcle.simulation.fresh=<how many seeds of each kind>}: a build isn't to fail by chance. */
    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = FRESH, matches = "\\d+")
    void noFreshSeedFindsTwoLeadersOrNone(ClusterKind kind) {
        long first = System.currentTimeMillis();
        System.out.println(kind + ": fresh seeds from " + first);
        LongStream.range(first, first + Integer.getInteger(FRESH)).forEach(seed -> run(Scenario.of(kind, seed), seed));
    }

    @ParameterizedTest
    @EnumSource
    void fiftyCandidatesComeToALeaderToo(ClusterKind kind) {
        run(Scenario.of(kind, 1, 50), 1);
    }

    @ParameterizedTest
    @EnumSource
    void theSameSeedDoesTheSameDownToTheLastLine(ClusterKind kind) {
        SimulationResult first = Simulation.runWithTranscript(Scenario.of(kind, 7), 7);
        SimulationResult second = Simulation.runWithTranscript(Scenario.of(kind, 7), 7);

        assertThat(second.transcript()).isEqualTo(first.transcript());
        assertThat(Simulation.run(Scenario.of(kind, 7), 7).digest()).isEqualTo(first.digest());
    }

    @Test
    void withoutFaultsTheFirstTermIsTheOnlyOneOfItsHolder() {
        Scenario calm = Scenario.of(ClusterKind.LEASES, 3, 5).with(Faults.NONE).with(Scenario.Troubles.NONE);

        assertThat(Simulation.run(calm, 3).terms()).isEqualTo(1);
    }

    @Test
    void aFailingSeedIsToldOfWithTheCommandThatReplaysIt() {
        Scenario scenario = Scenario.of(ClusterKind.ENDPOINTS, 42, 3);

        assertThat(Simulation.run(scenario, 42).describe()).contains("Replay ENDPOINTS 42 3");
    }

    private static void run(Scenario scenario, long seed) {
        SimulationResult result = Simulation.run(scenario, seed);
        assertThat(result.violation()).as(result.describe()).isNull();
    }
}
