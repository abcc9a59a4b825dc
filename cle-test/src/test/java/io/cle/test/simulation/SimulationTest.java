package io.cle.test.simulation;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class SimulationTest {

    private static final int FIXED = 100;
    private static final int FRESH = 20;

    @ParameterizedTest
    @EnumSource
    void noFixedSeedFindsTwoLeadersOrNone(ClusterKind kind) {
        LongStream.rangeClosed(1, FIXED).forEach(seed -> run(kind, seed, 0));
    }

    @ParameterizedTest
    @EnumSource
    void noFreshSeedFindsTwoLeadersOrNone(ClusterKind kind) {
        long first = System.currentTimeMillis();
        System.out.println(kind + ": fresh seeds from " + first);
        LongStream.range(first, first + FRESH).forEach(seed -> run(kind, seed, 0));
    }

    @ParameterizedTest
    @EnumSource
    void fiftyCandidatesComeToALeaderToo(ClusterKind kind) {
        run(kind, 1, 50);
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
        Scenario chosen = Scenario.of(ClusterKind.ENDPOINTS, 42);
        Scenario counted = Scenario.of(ClusterKind.ENDPOINTS, 42, 6);
        Scenario changed = chosen.with(Faults.NONE);

        assertThat(Simulation.run(chosen, 42).describe())
                .endsWith(" -Dcle.replay=ENDPOINTS:42, or: java " + "io.cle.test.simulation.Replay ENDPOINTS:42");
        assertThat(Simulation.run(counted, 42).describe()).contains(" -Dcle.replay=ENDPOINTS:42:6,");
        assertThat(Simulation.run(changed, 42).describe()).contains("runWithTranscript, seed 42");
    }

    private static void run(ClusterKind kind, long seed, int candidates) {
        SimulationResult result = new SimulationSeed(kind, seed, candidates).run();
        assertThat(result.violation()).as(result.describe()).isNull();
    }
}
