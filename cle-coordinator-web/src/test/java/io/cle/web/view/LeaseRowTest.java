package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.web.view.Snapshots.NOW;
import static io.cle.web.view.Snapshots.candidate;
import static org.assertj.core.api.Assertions.assertThat;

class LeaseRowTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private static LeaseRow row(Snapshots.Builder lease) {
        return row(lease, NOW);
    }

    private static LeaseRow row(Snapshots.Builder lease, Instant now) {
        return LeaseRow.of(lease.build(), ElectionPolicy.DEFAULT, now);
    }

    private static Snapshots.Builder orders() {
        return Snapshots.lease("shop", "orders");
    }

    private static Snapshots.Builder led() {
        return orders().candidate("a", "1.0.0").candidate("b", "1.1.0").ledBy("a", Duration.ofMinutes(3));
    }

    @Nested
    class Led {

        @Test
        void aLedLeaseShowsTheLeaderItsPodAndItsVersion() {
            LeaseRow row = row(led());

            assertThat(row.state()).isEqualTo(LeaseRow.State.LED);
            assertThat(row.leader()).isEqualTo(new LeaseRow.Leader("a", "a-pod", "1.0.0"));
            assertThat(row.since()).isEqualTo(NOW.minus(Duration.ofMinutes(3)));
        }

        @Test
        void aLedLeaseIsNoVacancy() {
            assertThat(row(led()).vacancy()).isNull();
        }

        @Test
        void aLedLeaseNamesTheBestOtherCandidateAsNext() {
            assertThat(row(led()).next()).isEqualTo("b");
        }

        @Test
        void aLedLeaseHasNoNextWithoutAnotherCandidate() {
            assertThat(row(orders().candidate("a", "1.0.0").ledBy("a", Duration.ofSeconds(1)))
                            .next())
                    .isNull();
        }

        @Test
        void aLedLeaseIsTheSameWhileOnlyTimePasses() {
            Snapshots.Builder lease = led();

            assertThat(row(lease, NOW.plusSeconds(2))).isEqualTo(row(lease, NOW));
        }

        @Test
        void aLedLeaseGoesByTheLeasesOwnTimeWhenTheTermHadBegunBeforeItWasSeen() {
            Lease lease = Lease.builder(ORDERS)
                    .holder("a")
                    .electedBy("coordinator")
                    .acquireTime(NOW.minus(Duration.ofHours(2)))
                    .build();

            assertThat(row(orders().heldBy(lease).term(new PastTerm("a", NOW.minusSeconds(9), null, true)))
                            .since())
                    .isEqualTo(NOW.minus(Duration.ofHours(2)));
        }
    }

    @Nested
    class Identities {

        private static String shortened(String identity) {
            return row(orders()).withoutName(identity);
        }

        @Test
        void identitiesAreShownWithoutTheLeasesNameBeforeThem() {
            assertThat(shortened("orders-pod-1")).isEqualTo("pod-1");
            assertThat(shortened("orders-orders-7f9c-x2k8d-h7t2p")).isEqualTo("7f9c-x2k8d-h7t2p");
        }

        @Test
        void identitiesStayAsTheyAreIfTheyAreNoMoreThanThatOrDoNotBeginByIt() {
            assertThat(shortened("orders")).isEqualTo("orders");
            assertThat(shortened("orders-")).isEqualTo("orders-");
            assertThat(shortened("ordersx-pod")).isEqualTo("ordersx-pod");
        }
    }

    @Nested
    class HandingOver {

        @Test
        void aHandOverNamesThePreferredHolderAsNext() {
            LeaseRow row = row(led().candidate("c", "0.9.0").change(lease -> lease.endOfTerm("c", null)));

            assertThat(row.state()).isEqualTo(LeaseRow.State.HANDING_OVER);
            assertThat(row.next()).isEqualTo("c");
        }
    }

    @Nested
    class Elected {

        private Snapshots.Builder elected(Duration ago) {
            return orders().candidate("a", "1.0.0").elected("a", ago).decided(ago, "a is the best of 1 candidates");
        }

        @Test
        void aLeaseWithAnElectedHolderIsElectingWhileTheElectedOneHasTimeToBegin() {
            LeaseRow row = row(elected(Duration.ofSeconds(2)));

            assertThat(row.state()).isEqualTo(LeaseRow.State.ELECTING);
            assertThat(row.leader().identity()).isEqualTo("a");
            assertThat(row.since()).isEqualTo(NOW.minusSeconds(2));
            assertThat(row.vacancy().waitingFor()).isEqualTo("a, which was elected and hasn't begun its term");
        }

        @Test
        void aLeaseWithAnElectedHolderHasNoLeaderIfTheElectedOneDoesNotBeginAndSaysWhoThatIs() {
            LeaseRow row = row(elected(Duration.ofSeconds(11)));

            assertThat(row.state()).isEqualTo(LeaseRow.State.NO_LEADER);
            assertThat(row.leader()).isNull();
            assertThat(row.vacancy().waitingFor()).isEqualTo("a, which was elected and hasn't begun its term");
        }
    }

    @Nested
    class WithoutALeader {

        @Test
        void aLeaseWithoutALeaderWaitsForACandidateWhenThereIsNone() {
            LeaseRow row = row(orders());

            assertThat(row.state()).isEqualTo(LeaseRow.State.NO_LEADER);
            assertThat(row.leader()).isNull();
            assertThat(row.vacancy().waitingFor()).isEqualTo("a candidate: there is none");
        }

        @Test
        void aLeaseWithoutALeaderIsElectingWhileCandidatesHaveTimeToAcknowledge() {
            LeaseRow row = row(orders().candidate(candidate(ORDERS, "a", "1.0.0"), Answer.PENDING)
                    .decided(Duration.ofSeconds(1), "there is no lease yet; candidates are asked to acknowledge"));

            assertThat(row.state()).isEqualTo(LeaseRow.State.ELECTING);
            assertThat(row.vacancy().waitingFor())
                    .isEqualTo("the election: there is no lease yet; candidates are asked to acknowledge");
        }

        @Test
        void aLeaseWithoutALeaderHasNoLeaderWhenTheElectionHasTakenTooLong() {
            Snapshots.Builder lease =
                    orders().candidate("a", "1.0.0").decided(Duration.ofSeconds(11), "the lease has no holder");

            assertThat(row(lease).state()).isEqualTo(LeaseRow.State.NO_LEADER);
        }

        @Test
        void aLeaseWithoutALeaderHasNoLeaderWhenNoCandidateAcknowledges() {
            LeaseRow row = row(orders().candidate(candidate(ORDERS, "a", "1.0.0"), Answer.SILENT));

            assertThat(row.state()).isEqualTo(LeaseRow.State.NO_LEADER);
            assertThat(row.vacancy().waitingFor()).isEqualTo("a candidate that acknowledges: none of 1 does");
        }

        @Test
        void aLeaseWithoutALeaderWaitsForACandidateToTakeTheLeaseItselfIfNoCoordinatorElects() {
            LeaseRow row = row(orders().candidate("a", "1.0.0").strategy("NoCoordination"));

            assertThat(row.state()).isEqualTo(LeaseRow.State.NO_LEADER);
            assertThat(row.vacancy().waitingFor())
                    .isEqualTo("a candidate to take the lease itself: no coordinator elects by NoCoordination");
        }

        @Test
        void aLeaseWithoutALeaderSaysWhatToDoForEachCause() {
            assertThat(row(orders()).vacancy().advice().get(0)).contains("Does the application run");
            assertThat(row(orders().candidate(candidate(ORDERS, "a", "1.0.0"), Answer.SILENT))
                            .vacancy()
                            .advice()
                            .get(0))
                    .contains("the candidates' pods and logs");
            assertThat(row(orders().candidate("a", "1.0.0").elected("a", Duration.ofSeconds(11)))
                            .vacancy()
                            .advice()
                            .get(0))
                    .contains("its pod");
            assertThat(row(orders().candidate("a", "1.0.0").strategy("NoCoordination"))
                            .vacancy()
                            .advice()
                            .get(0))
                    .isEqualTo("The strategy is set on the lease: change it there if a coordinator is to elect.");
            assertThat(row(orders().candidate("a", "1.0.0").strategy("nonsense"))
                            .vacancy()
                            .advice()
                            .get(0))
                    .startsWith("The strategy is set on the lease: change it there.");
            assertThat(row(orders().candidate("a", "1.0.0").decided(Duration.ofSeconds(11), "a reason"))
                            .vacancy()
                            .advice()
                            .get(0))
                    .contains("the Events of the lease");
        }

        @Test
        void aLeaseWithoutALeaderCountsFromTheEndOfTheLastTerm() {
            Instant end = NOW.minusSeconds(40);

            assertThat(row(orders().term(new PastTerm("a", NOW.minusSeconds(90), end, false)))
                            .since())
                    .isEqualTo(end);
        }

        @Test
        void aLeaseWithoutALeaderHasNoLeaderAsSoonAsTheLeaseHasExpired() {
            Snapshots.Builder expired =
                    orders().ledBy("a", Duration.ofMinutes(1)).renewedBefore(Duration.ofSeconds(16));

            LeaseRow row = row(expired);

            assertThat(row.state()).isEqualTo(LeaseRow.State.NO_LEADER);
            assertThat(row.leader()).isNull();
            assertThat(row.since()).as("its last renewal").isEqualTo(NOW.minusSeconds(16));
        }

        @Test
        void aLeaseWithoutALeaderIsElectingForTwiceTheAcknowledgeTimeoutAfterTheLeaseHasExpired() {
            Snapshots.Builder expired = orders().candidate("b", "1.0.0")
                    .ledBy("a", Duration.ofMinutes(1))
                    .renewedBefore(Duration.ofSeconds(16));

            assertThat(row(expired).state()).isEqualTo(LeaseRow.State.ELECTING);
            assertThat(row(expired, NOW.plusSeconds(9)).state()).isEqualTo(LeaseRow.State.NO_LEADER);
        }
    }

    @Nested
    class Warnings {

        @Test
        void warningsIsAWarningWhenTheLeaderHasMissedRenewals() {
            LeaseRow row = row(led().renewedBefore(Duration.ofSeconds(8)));

            assertThat(row.state()).isEqualTo(LeaseRow.State.WARNING);
            assertThat(row.warnings())
                    .containsExactly("the leader has missed renewals; the lease expires at 12:00:07.000");
        }

        @Test
        void warningsIsNoneWhileTheLeaderRenewsInTime() {
            assertThat(row(led().renewedBefore(Duration.ofSeconds(7))).warnings())
                    .isEmpty();
        }

        @Test
        void warningsNamesACandidateThatDoesNotAcknowledge() {
            assertThat(row(led().candidate(candidate(ORDERS, "c", "1.2.0"), Answer.SILENT))
                            .warnings())
                    .containsExactly("c does not acknowledge, and is ignored until it renews");
        }

        @Test
        void warningsShowsTheCoordinatorsProblems() {
            assertThat(row(led().problem("shop/a: its clock is 40 s behind this coordinator's"))
                            .warnings())
                    .containsExactly("shop/a: its clock is 40 s behind this coordinator's");
        }
    }

    @Nested
    class LeftAlone {

        @Test
        void leftAloneIsTheStateOfALeaseThatItsHolderTookItself() {
            assertThat(row(led().change(lease -> lease.electedBy(null))).state())
                    .isEqualTo(LeaseRow.State.LEFT_ALONE);
        }

        @Test
        void leftAloneIsTheStateUnderAStrategyThatDoesNotCoordinate() {
            assertThat(row(led().strategy("NoCoordination")).state()).isEqualTo(LeaseRow.State.LEFT_ALONE);
        }
    }
}
