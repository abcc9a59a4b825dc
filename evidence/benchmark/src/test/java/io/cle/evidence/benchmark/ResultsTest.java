package io.cle.evidence.benchmark;

import io.cle.evidence.benchmark.Results.Contestant;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsTest {

    private final Results results = new Results();

    @Test
    void printsMediansWithTheirSpreadBesideEachOtherAndTheirRatio() {
        for (double millis : new double[] {30, 20, 45, 40}) {
            results.add(Line.TERMINATED, Contestant.OURS, millis);
        }
        results.add(Line.TERMINATED, Contestant.CLIENT_JAVA, 1_750);

        assertThat(results.markdown().lines().toList().get(2))
                .isEqualTo("| SIGTERM of the leader → another leads | ≤ 100 | 35 ms (20–45) | 1,750 ms | 50 × |"
                        + " *10,690 (7,994–13,730)* | *1,511 (502–3,899)* |");
        assertThat(results.missed()).isEmpty();
    }

    @Test
    void marksWhatMissesItsGoal() {
        results.add(Line.BETTER_GAP, Contestant.OURS, 61);
        results.add(Line.AOT_BETTER_GAP, Contestant.OURS, 46);
        results.add(Line.ELECTIONS_1K, Contestant.OURS, 348);

        assertThat(results.markdown()).contains("61 ms ✗", "46 ms ✗", "348 /s ✗");
        assertThat(results.missed()).containsExactly(Line.BETTER_GAP, Line.AOT_BETTER_GAP, Line.ELECTIONS_1K);
    }

    @Test
    void leavesOutWhatWasNotMeasured() {
        results.add(Line.FIRST, Contestant.CLIENT_JAVA, 25.25);
        results.remark("Machine: two cores.");

        assertThat(results.markdown().lines())
                .hasSize(5)
                .contains("- Machine: two cores.")
                .element(2)
                .asString()
                .contains("| – | 25 ms |");
    }
}
