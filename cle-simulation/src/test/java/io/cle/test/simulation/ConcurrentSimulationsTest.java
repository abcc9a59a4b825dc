package io.cle.test.simulation;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConcurrentSimulationsTest {

    @ParameterizedTest
    @EnumSource
    void seedsThatRunAtTheSameTimeHaveTheHistoriesThatTheyHaveAlone(ClusterKind kind) {
        assertThat(digests(kind, LongStream.range(1, 9).parallel()))
                .isEqualTo(digests(kind, LongStream.range(1, 9).sequential()));
    }

    private static List<Integer> digests(ClusterKind kind, LongStream seeds) {
        return seeds.mapToObj(
                        seed -> Simulation.run(Scenario.of(kind, seed), seed).digest())
                .toList();
    }
}
