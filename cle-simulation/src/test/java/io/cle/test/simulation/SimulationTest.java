package io.cle.test.simulation;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;

import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Excuse;
import io.cle.test.simulation.scenario.NetworkFaults;
import io.cle.test.simulation.scenario.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class SimulationTest {

    private static final int FIXED = Effort.of(10, 40, 500);
    private static final int FRESH = Effort.of(2, 10, 100);
    private static final int AT_REST = Effort.of(1, 1, 3);

    @ParameterizedTest
    @EnumSource
    void fixedSeedsViolateNothing(ClusterKind kind) {
        Map<Excuse, Integer> excused = new EnumMap<>(Excuse.class);
        LongStream.rangeClosed(1, FIXED)
                .forEach(seed -> run(kind, seed, 0)
                        .excuses()
                        .keySet()
                        .forEach(excuse -> excused.merge(excuse, 1, Integer::sum)));

        System.out.println(kind + ": of " + FIXED + " seeds excused " + excused);
        assertThat(excused)
                .allSatisfy((excuse, seeds) -> assertThat(seeds)
                        .as(excuse + " of " + FIXED + " seeds: such a run proves too little")
                        .isLessThanOrEqualTo(excuse.mostOf(FIXED)));
    }

    /** Two lead, and the newer leader never got a record of the older term as its leader had written it. */
    @ParameterizedTest
    @CsvSource({
        "COORDINATED, 7002286", // an administrator has edited the Lease of a running term
        "PRIORITIZED, 52",
    })
    void seedsInWhichNoRecordShowsTheOlderTermAreExcused(ClusterKind kind, long seed) {
        assertThat(run(kind, seed, 0).excuses()).containsKey(Excuse.TERM_NEVER_DELIVERED);
    }

    @Test
    void aRunInWhichTooManySeedsAreExcusedFails() {
        assertThat(Excuse.TERM_NEVER_DELIVERED.mostOf(1000)).isEqualTo(40);
        assertThat(Excuse.TERM_NEVER_DELIVERED.mostOf(10)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void freshSeedsViolateNothing(ClusterKind kind) {
        long first = System.currentTimeMillis();
        System.out.println(kind + ": fresh seeds from " + first);
        LongStream.range(first, first + FRESH).forEach(seed -> run(kind, seed, 0));
    }

    @ParameterizedTest
    @EnumSource
    void fiftyCandidatesGetALeader(ClusterKind kind) {
        run(kind, 1, 50);
    }

    @ParameterizedTest
    @EnumSource
    void theSameSeedHasTheSameHistory(ClusterKind kind) {
        SimulationResult first = Simulation.runWithHistory(Scenario.of(kind, 7), 7);
        SimulationResult second = Simulation.runWithHistory(Scenario.of(kind, 7), 7);

        assertThat(second.history()).isEqualTo(first.history());
        assertThat(Simulation.run(Scenario.of(kind, 7), 7).digest()).isEqualTo(first.digest());
    }

    /** No term ends and no shard moves, however clocks drift. */
    @ParameterizedTest
    @EnumSource(names = {"COORDINATED", "SHARDED"})
    void nothingMovesInAnHourAtRest(ClusterKind kind) {
        LongStream.rangeClosed(1, AT_REST).forEach(seed -> {
            SimulationResult result = Simulation.runWithRest(Scenario.of(kind, seed), seed, Duration.ofHours(1));

            assertThat(result.violation()).as(result.describe()).isNull();
            assertThat(result.seconds()).isGreaterThan(3600.0);
        });
    }

    @Test
    void withoutFaultsThereIsOneTerm() {
        Scenario calm =
                Scenario.of(ClusterKind.LEASES, 3, 5).with(NetworkFaults.NONE).with(Scenario.ProcessFaults.NONE);

        assertThat(Simulation.run(calm, 3).terms()).isEqualTo(1);
    }

    @Test
    void describesAResultWithTheCommandThatReplaysIt() {
        Scenario chosen = Scenario.of(ClusterKind.ENDPOINTS, 42);
        Scenario counted = Scenario.of(ClusterKind.ENDPOINTS, 42, 6);
        Scenario changed = chosen.with(NetworkFaults.NONE);

        assertThat(Simulation.run(chosen, 42).describe())
                .endsWith(" -Dcle.replay=ENDPOINTS:42, or: java " + "io.cle.test.simulation.Replay ENDPOINTS:42");
        assertThat(Simulation.run(counted, 42).describe()).contains(" -Dcle.replay=ENDPOINTS:42:6,");
        assertThat(Simulation.run(changed, 42).describe()).contains("runWithHistory, seed 42");
    }

    private static SimulationResult run(ClusterKind kind, long seed, int candidates) {
        SimulationResult result = new SimulationSeed(kind, seed, candidates).run();
        assertThat(result.violation()).as(result.describe()).isNull();
        return result;
    }
}
