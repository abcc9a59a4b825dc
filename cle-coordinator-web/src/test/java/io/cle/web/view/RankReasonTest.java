package io.cle.web.view;

import java.time.Duration;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.cle.web.view.Snapshots.NOW;
import static io.cle.web.view.Snapshots.candidate;
import static org.assertj.core.api.Assertions.assertThat;

class RankReasonTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private static @Nullable String reason(Snapshots.Builder lease, int place) {
        ElectionView view = lease.build();
        return RankReason.of(
                place == 0 ? null : view.candidates().get(place - 1).candidate(),
                view.candidates().get(place),
                view.strategy());
    }

    private static @Nullable String behind(Snapshots.Builder lease) {
        return reason(lease, 1);
    }

    private static Snapshots.Builder orders() {
        return Snapshots.lease("shop", "orders");
    }

    private static Snapshots.Builder led() {
        return orders().candidate("a", "1.0.0").candidate("b", "1.1.0").ledBy("a", Duration.ofMinutes(3));
    }

    private static Candidate prioritized(String name, int priority) {
        return candidate(ORDERS, name, "1.0.0").toBuilder().priority(priority).build();
    }

    @Test
    void rankingSaysNothingOfTheFirst() {
        assertThat(reason(led(), 0)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Astrology", "NoCoordination"})
    void rankingSaysThatNobodyIsRankedIfNoneIsElected(String strategy) {
        assertThat(reason(led().strategy(strategy), 0)).startsWith("not ranked");
        assertThat(behind(led().strategy(strategy))).startsWith("not ranked");
    }

    @Test
    void rankingNamesTheNewerCompatibilityVersion() {
        assertThat(behind(led())).isEqualTo("compatibility version 1.1.0 is newer than 1.0.0");
    }

    @Test
    void rankingNamesTheBinaryVersionWhenCompatibilityIsTheSame() {
        Candidate newer = candidate(ORDERS, "b", "1.0.0").toBuilder()
                .binaryVersion(Version.parse("1.2.0"))
                .build();

        assertThat(behind(orders().candidate("a", "1.0.0").candidate(newer, Answer.ACKNOWLEDGED)))
                .isEqualTo("binary version 1.2.0 is newer than 1.0.0");
    }

    @Test
    void rankingNamesTheOlderVersionWhenTheNewestIsToLead() {
        assertThat(behind(orders().strategy("NewestCompatibilityVersion")
                        .candidate("b", "1.1.0")
                        .candidate("a", "1.0.0")))
                .isEqualTo("compatibility version 1.0.0 is older than 1.1.0");
    }

    @Test
    void rankingNamesTheLowerPriority() {
        assertThat(behind(orders().strategy("HighestPriority")
                        .candidate(prioritized("a", 10), Answer.ACKNOWLEDGED)
                        .candidate(prioritized("b", 5), Answer.ACKNOWLEDGED)))
                .isEqualTo("priority 5 is lower than 10");
    }

    @Test
    void rankingNamesTheAgeOfEquallyGoodCandidates() {
        Candidate younger = candidate(ORDERS, "b", "1.0.0").toBuilder()
                .creationTime(NOW.minus(Duration.ofMinutes(3)))
                .build();

        assertThat(behind(orders().candidate("a", "1.0.0").candidate(younger, Answer.ACKNOWLEDGED)))
                .isEqualTo("tie: joined 120 s later");
    }

    @Test
    void rankingNamesTheNameAtLast() {
        assertThat(behind(orders().candidate("a", "1.0.0").candidate("b", "1.0.0")))
                .isEqualTo("tie: decided by name");
    }
}
