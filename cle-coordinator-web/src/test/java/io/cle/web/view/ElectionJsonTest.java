package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.PastDecision;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.LeaseGroup;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static io.cle.web.view.Snapshots.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

class ElectionJsonTest {

    private static Snapshots.Builder orders() {
        return Snapshots.lease("shop", "orders");
    }

    private static Map<String, Object> json(Snapshots.Builder lease) {
        return ElectionJson.of(Snapshots.of(lease.build()), lease.build());
    }

    @Test
    void showsALedLeaseWithItsCandidatesBestFirstAndWhyTheyRankBelow() {
        Map<String, Object> json = json(orders().candidate("a", "1.0.0")
                .candidate("b", "1.1.0")
                .ledBy("a", Duration.ofMinutes(3))
                .decided(Duration.ofMinutes(3), "a is the best of 2 candidates"));

        assertThat(json)
                .containsEntry("lease", "shop/orders")
                .containsEntry("state", "led")
                .containsEntry("holder", "a")
                .containsEntry("holding", "leads")
                .containsEntry("since", NOW.minus(Duration.ofMinutes(3)))
                .containsEntry("next", "b")
                .containsEntry("candidateCount", 2)
                .doesNotContainKeys("waitingFor", "group");
        assertThat(json.get("candidates"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .extracting(candidate -> candidate.get("name"), candidate -> candidate.get("ranksBelow"))
                .containsExactly(tuple("a", null), tuple("b", "compatibility version 1.1.0 is newer than 1.0.0"));
        assertThat(json.get("lastDecision"))
                .isEqualTo(new PastDecision(NOW.minus(Duration.ofMinutes(3)), "a is the best of 2 candidates"));
    }

    @Test
    void showsThatTheHolderWasOnlyElectedOrHasExpired() {
        assertThat(json(orders().candidate("a", "1.0.0").elected("a", Duration.ofSeconds(2))))
                .containsEntry("holding", "elected")
                .containsEntry("state", "electing");
        assertThat(json(orders().ledBy("a", Duration.ofMinutes(1)).renewedBefore(Duration.ofSeconds(16))))
                .containsEntry("holding", "expired")
                .containsEntry("waitingFor", "a candidate: there is none");
        assertThat(json(orders())).containsEntry("holding", "none");
    }

    @Test
    void showsTheTermsAndSinceWhenTheyAreKnown() {
        PastTerm first = new PastTerm("a", NOW.minusSeconds(100), NOW.minusSeconds(60));
        PastTerm second = new PastTerm("b", NOW.minusSeconds(40), NOW.minusSeconds(20));

        assertThat(json(orders().term(first).term(second)).get("history"))
                .isEqualTo(Map.of(
                        "knownSince", NOW.minusSeconds(100),
                        "withoutLeaderSince", NOW.minusSeconds(20),
                        "terms", List.of(first, second)));
    }

    @Test
    void aSummaryOmitsCandidatesAndHistory() {
        CoordinatorSnapshot snapshot = Snapshots.of(orders().candidate("a", "1.0.0")
                .ledBy("a", Duration.ofMinutes(3))
                .build());

        Map<?, ?> leases = (Map<?, ?>) ElectionJson.of(snapshot, true).get("leases");

        assertThat(object(leases, "shop/orders"))
                .containsEntry("candidateCount", 1)
                .containsEntry("state", "led")
                .doesNotContainKeys("candidates", "history", "decisions");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Map<?, ?> leases, String key) {
        return (Map<String, Object>) leases.get(key);
    }

    @Test
    void showsTheShardsOfALeaseAsAGroup() {
        LeaseGroup group = new LeaseGroup("shop", "carts", 2);
        ElectionView first = Snapshots.lease("shop", "carts-2-0")
                .candidate(Snapshots.candidate(group, "carts-a", "1.0.0"), Answer.ACKNOWLEDGED)
                .ledBy("carts-a", Duration.ofMinutes(1))
                .inGroup(group)
                .build();
        ElectionView second =
                Snapshots.lease("shop", "carts-2-1").inGroup(group).build();

        Map<?, ?> groups =
                (Map<?, ?>) ElectionJson.of(Snapshots.of(first, second), true).get("groups");

        assertThat(object(groups, "shop/carts"))
                .containsEntry("shards", 2)
                .containsEntry("led", 1)
                .containsEntry("withoutLeader", 1)
                .containsEntry("shardsByLeader", Map.of("carts-a", 1))
                .doesNotContainKey("waiting");
    }

    @Test
    void changesOnlyWhenSomethingHappens() {
        Instant later = NOW.plusSeconds(2);
        ElectionView led = orders().candidate("a", "1.0.0")
                .ledBy("a", Duration.ofMinutes(3))
                .build();
        ElectionView problem = orders().candidate("a", "1.0.0")
                .ledBy("a", Duration.ofMinutes(3))
                .problem("late")
                .build();

        for (boolean summary : List.of(true, false)) {
            Object before = ElectionJson.changes(Snapshots.at(NOW, List.of(led)), summary);

            assertThat(ElectionJson.changes(Snapshots.at(later, List.of(led)), summary))
                    .isEqualTo(before);
            assertThat(ElectionJson.changes(Snapshots.at(NOW, List.of(problem)), summary))
                    .isNotEqualTo(before);
        }
    }

    @Test
    void aSummaryDoesNotChangeWithARenewal() {
        ElectionView led = orders().ledBy("a", Duration.ofMinutes(3)).build();
        ElectionView renewed = orders().ledBy("a", Duration.ofMinutes(3))
                .renewedBefore(Duration.ofMillis(10))
                .build();

        assertThat(ElectionJson.changes(Snapshots.of(renewed), true))
                .isEqualTo(ElectionJson.changes(Snapshots.of(led), true));
    }
}
