package io.cle.samples.orders.demo;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

import io.cle.samples.narration.Problems;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShardTermsTest {

    private final Problems problems = new Problems();
    private final ShardTerms terms = new ShardTerms(problems);

    @Test
    void theTimeWithoutALeaderIsThatBetweenTwoTerms() {
        terms.begins(0, "a", 10, 100);
        terms.ends(0, "a", 10, 200);
        terms.begins(0, "b", 11, 250);

        assertThat(terms.after(0))
                .extracting(ShardTerms.Term::without)
                .containsExactly(OptionalLong.empty(), OptionalLong.of(50));
        assertThat(terms.leaders()).isEqualTo(Map.of(0, "b"));
        assertThat(problems.messages()).isEmpty();
    }

    @Test
    void theTimeWithoutALeaderBeginsWithAKill() {
        terms.begins(0, "a", 10, 100);
        terms.begins(1, "b", 11, 110);
        terms.killed("a", 200);

        assertThat(terms.leaders()).isEqualTo(Map.of(1, "b"));
        terms.begins(0, "b", 12, 5_200);
        assertThat(terms.after(2)).extracting(ShardTerms.Term::without).containsExactly(OptionalLong.of(5_000));
    }

    @Test
    void aLateEndOfAFormerTermChangesNothing() {
        terms.begins(0, "a", 10, 100);
        terms.ends(0, "a", 10, 200);
        terms.begins(0, "b", 11, 250);
        terms.ends(0, "a", 10, 300);

        assertThat(terms.leaders()).isEqualTo(Map.of(0, "b"));
    }

    @Test
    void twoLeadersOfAShardAreReported() {
        terms.begins(0, "a", 10, 100);
        terms.begins(0, "b", 11, 150);

        assertThat(problems.messages())
                .containsExactly("b (token 11) began to lead shard 0, which a (token 10) was leading");
    }

    @Test
    void aTokenThatDoesNotGrowIsReported() {
        terms.begins(0, "a", 10, 100);
        terms.ends(0, "a", 10, 200);
        terms.begins(0, "b", 10, 250);

        assertThat(problems.messages()).containsExactly("b began to lead shard 0 with token 10, after 10");
    }

    @Test
    void waitingEndsWhenTheTimeIsOver() throws InterruptedException {
        assertThat(terms.await(leaders -> !leaders.isEmpty(), Duration.ZERO)).isFalse();
        terms.begins(0, "a", 10, 100);
        assertThat(terms.await(leaders -> !leaders.isEmpty(), Duration.ZERO)).isTrue();
    }
}
