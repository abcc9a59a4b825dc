package io.cle.evidence.benchmark;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

import io.cle.evidence.process.Event;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ShardTimelineTest {

    /** Parses events such as {@code 10 granted 3}: milliseconds, event, shard. */
    private static List<Event> events(String... lines) {
        return Stream.of(lines)
                .map(line -> line.split(" "))
                .map(parts -> new Event(
                        Long.parseLong(parts[0]) * 1_000_000, parts[1], OptionalInt.of(Integer.parseInt(parts[2]))))
                .toList();
    }

    private static ShardTimeline.Cost cost(ShardTimeline timeline, long sinceMillis, int shards, String... processes) {
        return timeline.cost(sinceMillis * 1_000_000, sinceMillis * 1_000_000, shards, Set.of(processes));
    }

    @Test
    void aShardThatMovesHasNoLeaderBetweenItsTerms() {
        ShardTimeline timeline = ShardTimeline.of(
                Map.of(
                        "a", events("10 granted 0", "11 granted 1", "100 revoked 1"),
                        "b", events("120 granted 1")),
                Map.of());

        assertThat(cost(timeline, 50, 2, "a", "b")).isEqualTo(new ShardTimeline.Cost(1, 1, 20, 20, 70, 2));
    }

    @Test
    void timesWithoutALeaderAreAddedUp() {
        ShardTimeline timeline = ShardTimeline.of(
                Map.of(
                        "a", events("10 granted 0", "11 granted 1", "100 revoked 0", "100 revoked 1"),
                        "b", events("110 granted 0", "130 granted 1")),
                Map.of());

        assertThat(cost(timeline, 50, 2, "b")).isEqualTo(new ShardTimeline.Cost(2, 2, 30, 40, 80, 2));
    }

    @Test
    void theTermsOfAKilledProcessEndWithIt() {
        ShardTimeline timeline = ShardTimeline.of(
                Map.of("a", events("10 granted 0"), "b", events("1100 granted 0")), Map.of("a", 100_000_000L));

        assertThat(cost(timeline, 100, 1, "b").longest()).isEqualTo(1000);
    }

    @Test
    void aMoveThatBalanceDoesNotDemandIsCounted() {
        ShardTimeline timeline = ShardTimeline.of(
                Map.of(
                        "a", events("10 granted 0", "100 revoked 0", "200 granted 0"),
                        "b", events("110 granted 0", "190 revoked 0")),
                Map.of());

        ShardTimeline.Cost cost = cost(timeline, 50, 1, "a", "b");

        assertThat(cost.moves()).isEqualTo(2);
        assertThat(cost.fewestMoves()).isZero();
    }

    @Test
    void theFirstTermOfAShardIsNoMove() {
        ShardTimeline timeline = ShardTimeline.of(
                Map.of("a", events("60 granted 0", "61 granted 1", "80 revoked 1"), "b", events("85 granted 1")),
                Map.of());

        ShardTimeline.Cost cost = cost(timeline, 50, 2, "a", "b");

        assertThat(cost.moves()).isEqualTo(1);
        assertThat(cost.fewestMoves()).isEqualTo(1);
    }

    @Test
    void balanceNeedsALeaderOfEachShard() {
        assertThat(ShardTimeline.of(Map.of("a", events("10 granted 0")), Map.of())
                        .isBalanced(2, Set.of("a")))
                .isFalse();
    }

    @Test
    void balanceNeedsCountsThatDifferByOneAtMost() {
        ShardTimeline timeline =
                ShardTimeline.of(Map.of("a", events("10 granted 0", "10 granted 1"), "b", List.of()), Map.of());

        assertThat(timeline.isBalanced(2, Set.of("a", "b"))).isFalse();
        assertThat(timeline.isBalanced(2, Set.of("a"))).isTrue();
    }

    @Test
    void twoLeadersOfAShardFailTheMeasurement() {
        ShardTimeline timeline = ShardTimeline.of(
                Map.of("a", events("10 granted 0", "100 revoked 0"), "b", events("90 granted 0")), Map.of());

        assertThatThrownBy(() -> cost(timeline, 50, 1, "b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("two led a shard");
    }
}
