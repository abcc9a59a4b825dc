package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.ObjectKey;
import io.cle.web.view.LeaseStatus.State;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.web.view.Snapshots.NOW;
import static io.cle.web.view.Snapshots.candidate;
import static org.assertj.core.api.Assertions.assertThat;

class LeaseStatusTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private static LeaseStatus status(Snapshots.Builder lease) {
        return status(lease, NOW);
    }

    private static LeaseStatus status(Snapshots.Builder lease, Instant now) {
        return LeaseStatus.of(lease.build(), ElectionPolicy.DEFAULT, now);
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
        void aLedLeaseIsLedSinceTheTermBegan() {
            LeaseStatus status = status(led());

            assertThat(status.state()).isEqualTo(State.LED);
            assertThat(status.since()).isEqualTo(NOW.minus(Duration.ofMinutes(3)));
        }

        @Test
        void aLedLeaseWaitsForNothing() {
            assertThat(status(led()).waitingFor()).isNull();
        }

        @Test
        void aLedLeaseNamesTheBestOtherCandidateAsNext() {
            assertThat(status(led()).next()).isEqualTo("b");
        }

        @Test
        void aLedLeaseHasNoNextWithoutAnotherCandidate() {
            assertThat(status(orders().candidate("a", "1.0.0").ledBy("a", Duration.ofSeconds(1)))
                            .next())
                    .isNull();
        }

        @Test
        void aLedLeaseIsTheSameWhileOnlyTimePasses() {
            Snapshots.Builder lease = led();

            assertThat(status(lease, NOW.plusSeconds(2))).isEqualTo(status(lease, NOW));
        }
    }

    @Nested
    class HandingOver {

        @Test
        void aHandOverNamesThePreferredHolderAsNext() {
            LeaseStatus status = status(led().candidate("c", "0.9.0").change(lease -> lease.endOfTerm("c", null)));

            assertThat(status.state()).isEqualTo(State.HANDING_OVER);
            assertThat(status.next()).isEqualTo("c");
        }
    }

    @Nested
    class Elected {

        private Snapshots.Builder elected(Duration ago) {
            return orders().candidate("a", "1.0.0").elected("a", ago).decided(ago, "a is the best of 1 candidates");
        }

        @Test
        void aLeaseWithAnElectedHolderIsElectingWhileTheElectedOneHasTimeToBegin() {
            LeaseStatus status = status(elected(Duration.ofSeconds(2)));

            assertThat(status.state()).isEqualTo(State.ELECTING);
            assertThat(status.since()).isEqualTo(NOW.minusSeconds(2));
            assertThat(status.waitingFor()).isEqualTo("a, which was elected and hasn't begun its term");
        }

        @Test
        void aLeaseWithAnElectedHolderHasNoLeaderIfTheElectedOneDoesNotBeginAndSaysWhoThatIs() {
            LeaseStatus status = status(elected(Duration.ofSeconds(11)));

            assertThat(status.state()).isEqualTo(State.NO_LEADER);
            assertThat(status.waitingFor()).isEqualTo("a, which was elected and hasn't begun its term");
        }
    }

    @Nested
    class WithoutALeader {

        @Test
        void aLeaseWithoutALeaderWaitsForACandidateWhenThereIsNone() {
            LeaseStatus status = status(orders());

            assertThat(status.state()).isEqualTo(State.NO_LEADER);
            assertThat(status.waitingFor()).isEqualTo("a candidate: there is none");
        }

        @Test
        void aLeaseWithoutALeaderIsElectingWhileCandidatesHaveTimeToAcknowledge() {
            LeaseStatus status = status(orders().candidate(candidate(ORDERS, "a", "1.0.0"), Answer.PENDING)
                    .decided(Duration.ofSeconds(1), "there is no lease yet; candidates are asked to acknowledge"));

            assertThat(status.state()).isEqualTo(State.ELECTING);
            assertThat(status.waitingFor())
                    .isEqualTo("the election: there is no lease yet; candidates are asked to acknowledge");
        }

        @Test
        void aLeaseWithoutALeaderHasNoLeaderWhenTheElectionHasTakenTooLong() {
            Snapshots.Builder lease =
                    orders().candidate("a", "1.0.0").decided(Duration.ofSeconds(11), "the lease has no holder");

            assertThat(status(lease).state()).isEqualTo(State.NO_LEADER);
        }

        @Test
        void aLeaseWithoutALeaderHasNoLeaderWhenNoCandidateAcknowledges() {
            LeaseStatus status = status(orders().candidate(candidate(ORDERS, "a", "1.0.0"), Answer.SILENT));

            assertThat(status.state()).isEqualTo(State.NO_LEADER);
            assertThat(status.waitingFor()).isEqualTo("a candidate that acknowledges: none of 1 does");
        }

        @Test
        void aLeaseWithoutALeaderWaitsForACandidateToTakeTheLeaseItselfIfNoCoordinatorElects() {
            LeaseStatus status = status(orders().candidate("a", "1.0.0").strategy("NoCoordination"));

            assertThat(status.state()).isEqualTo(State.NO_LEADER);
            assertThat(status.waitingFor())
                    .isEqualTo("a candidate that acquires the lease itself: no coordinator elects by NoCoordination");
        }

        @Test
        void aLeaseWithoutALeaderCountsFromTheEndOfTheLastTerm() {
            Instant end = NOW.minusSeconds(40);

            assertThat(status(orders().term(new PastTerm("a", NOW.minusSeconds(90), end)))
                            .since())
                    .isEqualTo(end);
        }

        @Test
        void aLeaseWithoutALeaderHasNoLeaderAsSoonAsTheLeaseHasExpired() {
            Snapshots.Builder expired =
                    orders().ledBy("a", Duration.ofMinutes(1)).renewedBefore(Duration.ofSeconds(16));

            LeaseStatus status = status(expired);

            assertThat(status.state()).isEqualTo(State.NO_LEADER);
            assertThat(status.since()).as("its last renewal").isEqualTo(NOW.minusSeconds(16));
        }

        @Test
        void aLeaseWithoutALeaderIsElectingForTwiceTheAcknowledgeTimeoutAfterTheLeaseHasExpired() {
            Snapshots.Builder expired = orders().candidate("b", "1.0.0")
                    .ledBy("a", Duration.ofMinutes(1))
                    .renewedBefore(Duration.ofSeconds(16));

            assertThat(status(expired).state()).isEqualTo(State.ELECTING);
            assertThat(status(expired, NOW.plusSeconds(9)).state()).isEqualTo(State.NO_LEADER);
        }
    }

    @Nested
    class Warnings {

        @Test
        void warningsIsAWarningWhenTheLeaderHasMissedRenewals() {
            LeaseStatus status = status(led().renewedBefore(Duration.ofSeconds(8)));

            assertThat(status.state()).isEqualTo(State.WARNING);
            assertThat(status.problems())
                    .containsExactly("the leader has missed renewals; the lease expires at 2026-01-01T12:00:07Z");
        }

        @Test
        void warningsIsNoneWhileTheLeaderRenewsInTime() {
            assertThat(status(led().renewedBefore(Duration.ofSeconds(7))).problems())
                    .isEmpty();
        }

        @Test
        void warningsIsNoneForACandidateThatDoesNotAcknowledgeWhileAnotherLeads() {
            LeaseStatus status = status(led().candidate(candidate(ORDERS, "c", "0.9.0"), Answer.SILENT));

            assertThat(status.problems()).isEmpty();
            assertThat(status.state()).isEqualTo(State.LED);
        }

        @Test
        void warningsShowsTheCoordinatorsProblems() {
            assertThat(status(led().problem("candidates of several namespaces are named a"))
                            .problems())
                    .containsExactly("candidates of several namespaces are named a");
        }
    }

    @Nested
    class LeftAlone {

        @Test
        void leftAloneIsTheStateOfALeaseThatItsHolderTookItself() {
            assertThat(status(led().change(lease -> lease.electedBy(null))).state())
                    .isEqualTo(State.LEFT_ALONE);
        }

        @Test
        void leftAloneIsTheStateOfALeaseIntoWhichAnotherHolderWasWrittenThatIsNoCandidate() {
            assertThat(status(led().change(lease -> lease.holder("nobody"))).state())
                    .isEqualTo(State.LEFT_ALONE);
        }

        @Test
        void leftAloneIsTheStateUnderAStrategyThatDoesNotCoordinate() {
            assertThat(status(led().strategy("NoCoordination")).state()).isEqualTo(State.LEFT_ALONE);
        }
    }
}
