package io.cle.test.simulation;

import java.util.List;
import java.util.stream.LongStream;

import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConcurrentSimulationsTest {

    private static final int LAST_SEED = Effort.of(3, 8, 8);

    @ParameterizedTest
    @EnumSource
    void seedsThatRunAtTheSameTimeHaveTheHistoriesThatTheyHaveAlone(ClusterKind kind) {
        assertThat(digests(kind, LongStream.rangeClosed(1, LAST_SEED).parallel()))
                .isEqualTo(digests(kind, LongStream.rangeClosed(1, LAST_SEED).sequential()));
    }

    private static List<Integer> digests(ClusterKind kind, LongStream seeds) {
        return seeds.mapToObj(
                        seed -> Simulation.run(Scenario.of(kind, seed), seed).digest())
                .toList();
    }
}
