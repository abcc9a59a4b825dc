package io.cle.evidence.benchmark;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsTest {

    private final Results results = new Results();

    @Test
    void printsMediansWithTheirSpreadBesideTheirGoals() {
        for (double millis : new double[] {30, 20, 45, 40}) {
            results.add(Line.TERMINATED, millis);
        }
        results.remark("Machine: two cores.");

        assertThat(results.markdown()).isEqualTo("""
                | what a user waits for | goal | measured |
                |---|---|---|
                | SIGTERM of the leader → another leads | ≤ 100 | 35 ms (20–45) |

                - Machine: two cores.
                """);
        assertThat(results.missed()).isEmpty();
    }

    @Test
    void marksWhatMissesItsGoal() {
        results.add(Line.BETTER_GAP, 61);
        results.add(Line.AOT_BETTER_GAP, 46);
        results.add(Line.ELECTIONS_1K, 348);

        assertThat(results.markdown()).contains("61 ms ✗", "46 ms ✗", "348 /s ✗");
        assertThat(results.missed()).containsExactly(Line.BETTER_GAP, Line.AOT_BETTER_GAP, Line.ELECTIONS_1K);
    }

    @Test
    void printsWhatMovingShardsHasCostWithTheGoalsThatAreMissed() {
        results.shards().add(ShardEvent.JOIN, new ShardTimeline.Cost(8, 7, 50, 200, 3_400, 9));
        results.shards().add(ShardEvent.JOIN, new ShardTimeline.Cost(8, 7, 90, 300, 3_600, 9));

        assertThat(results.markdown())
                .contains(
                        "| a ninth joins | 8 ✗ | 7 | 70 ms (50–90) ✗ (≤ 60) | 250 ms (200–300) | 3,500 ms (3,400–3,600) | 9 |");
    }
}
