package io.cle.samples.orders.demo;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BalanceTest {

    private static final Map<Integer, String> TWO_EACH = Map.of(0, "a", 1, "a", 2, "b", 3, "b");

    @Test
    void countsThatDifferByOneAreEven() {
        assertThat(Balance.even(Map.of(0, "a", 1, "a", 2, "b"), 3, List.of("a", "b")))
                .isTrue();
    }

    @Test
    void countsThatDifferByTwoAreNotEven() {
        assertThat(Balance.even(Map.of(0, "a", 1, "a", 2, "a", 3, "b"), 4, List.of("a", "b")))
                .isFalse();
    }

    @Test
    void aReplicaThatLeadsNothingIsNotEvenBesideTwoShards() {
        assertThat(Balance.even(TWO_EACH, 4, List.of("a", "b", "c"))).isFalse();
    }

    @Test
    void aShardWithoutALeaderIsNotEven() {
        assertThat(Balance.even(Map.of(0, "a", 1, "b"), 3, List.of("a", "b"))).isFalse();
    }

    @Test
    void aShardOfAReplicaThatIsGoneIsNotEven() {
        assertThat(Balance.even(Map.of(0, "a", 1, "b", 2, "c"), 3, List.of("a", "b")))
                .isFalse();
    }

    @Test
    void nothingHasToMoveWhereCountsAreEven() {
        assertThat(Balance.fewestMoves(TWO_EACH, 4, List.of("a", "b"))).isZero();
    }

    @Test
    void oneShardHasToMoveToAThirdReplica() {
        assertThat(Balance.fewestMoves(TWO_EACH, 4, List.of("a", "b", "c"))).isEqualTo(1);
    }

    @Test
    void shardsOfAReplicaThatIsGoneHaveToMove() {
        assertThat(Balance.fewestMoves(TWO_EACH, 4, List.of("b"))).isEqualTo(2);
    }

    @Test
    void onlyTheShardsOfTheReplacedReplicaHaveToMove() {
        assertThat(Balance.fewestMoves(TWO_EACH, 4, List.of("b", "c"))).isEqualTo(2);
    }
}
