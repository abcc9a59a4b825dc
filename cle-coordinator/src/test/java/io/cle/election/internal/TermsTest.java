package io.cle.election.internal;

import java.time.Duration;

import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an election writes, whom a holder is asked to yield to, and how elected candidates begin
 * (safety.md#grant-or-end-of-term).
 * Rule: {@code safety.md#when-to-elect}.
 */
class TermsTest extends ElectionFixture {

    @Nested
    class TheWinner {

        @Test
        void theWinnerIsWrittenFreshlyRenewedWithTheTermAnnotationOfAGrant() {
            election.comes("a", "1.0.0");

            Lease desired = elects("a").desired();

            assertThat(desired.holder()).isEqualTo("a");
            assertThat(desired.electedBy()).isEqualTo("coordinated-election-controller");
            assertThat(desired.strategy()).isEqualTo("OldestCompatibilityVersion");
            assertThat(desired.recordedStrategy()).isEqualTo("OldestCompatibilityVersion");
            assertThat(desired.renewTime()).isEqualTo(election.wall());
            assertThat(desired.granted()).isTrue();
            assertThat(desired.managed()).isTrue();
            assertThat(desired.leaseDuration()).isEqualTo(Duration.ofSeconds(15));
            assertThat(desired.transitions()).isZero();
        }

        @Test
        void ofAnExpiredLeaseCountsAsATransitionAndTheOldAnnotationsAreRemoved() {
            aLeads("1.0.0");
            election.writes(lease -> lease.endOfTerm("x", "9").holderKey("5"))
                    .goes("a")
                    .after(ElectionDriver.DURATION)
                    .comes("b", "1.0.0");

            Lease desired = elects("b").desired();

            assertThat(desired.transitions()).isEqualTo(1);
            assertThat(desired.endOfTerm()).isFalse();
            assertThat(desired.preferredHolder()).isNull();
            assertThat(desired.holderKey()).isNull();
        }

        // ---- after the election

        @Test
        void theWinnerHasFiveSecondsToBeginItsTerm() {
            election.comes("a", "1.0.0").comes("b", "1.1.0").decide();

            waitsFor(Duration.ofSeconds(5));
            election.after(Duration.ofSeconds(5)).renews("b");
            assertThat(elects("b").reason()).contains("a was elected and hasn't begun its term");
        }

        /** Only a ping shows whether it has gone; until then, candidates that ask for another number of shards wait. */
        @Test
        void theWinnerThatHasNotBegunAndIsAloneIsAskedOnceTheLeaseIsFree() {
            election.comes("a", "1.0.0").decide();
            election.after(Duration.ofSeconds(5));
            waitsFor(Duration.ofSeconds(10));

            election.after(Duration.ofSeconds(10));

            assertThat(election.decide()).isInstanceOf(Decision.Ping.class);
        }

        @Test
        void theWinnerKeepsTheLeaseIfItBeginsInTime() {
            election.comes("a", "1.0.0").comes("b", "1.1.0").decide();
            election.after(Duration.ofSeconds(4))
                    .begins("a")
                    .after(Duration.ofSeconds(2))
                    .renews("b");

            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
        }

        @Test
        void theWinnerIsNotReplacedByABetterOneBeforeItHasBegun() {
            election.comes("b", "1.1.0").decide();
            election.comes("a", "1.0.0");
            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);

            election.begins("b");
            prefers("a");
        }
    }

    @Nested
    class AWorseHolder {

        @Test
        void aWorseHolderIsAskedToYieldAndKeepsItsTermUntilItDoes() {
            aLeads("1.1.0");
            Lease before = election.held();
            election.comes("b", "1.0.0");

            Lease desired = prefers("b").desired();

            assertThat(desired.endOfTerm()).isTrue();
            assertThat(desired.preferredHolder()).isEqualTo("b");
            assertThat(desired.term()).isEqualTo(before.term());
            assertThat(desired.renewTime()).isEqualTo(before.renewTime());
        }

        /** The successor inherits what the record says. */
        @Test
        void aWorseHolderThatHasRacedIsFollowedByOneThatThisCoordinatorHasElected() {
            aLeads("1.1.0");
            election.writes(lease -> lease.electedBy("candidate-fallback"));
            election.comes("b", "1.0.0");

            assertThat(prefers("b").desired().electedBy()).isEqualTo("coordinated-election-controller");
        }

        /** Its successor would have to wait for that term, and nobody would lead meanwhile. */
        @Test
        void aWorseHolderIsNotAskedToYieldWhileAnEarlierTermMayStillRun() {
            aLeads("1.1.0");
            election.deleted().begins("a").comes("b", "1.0.0");
            waits();

            election.after(ElectionDriver.DURATION.minusSeconds(1))
                    .holderRenews()
                    .renews("b");
            waits();

            election.after(Duration.ofSeconds(1)).holderRenews();
            prefers("b");
        }

        @Test
        void aWorseHolderIsNotAskedAgain() {
            aLeads("1.1.0");
            election.comes("b", "1.0.0").decide();

            Decision decision = election.decide();
            assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
            assertThat(decision.reason()).contains("a was asked to yield to b");
        }

        @Test
        void aWorseHolderIsNeverAskedIfItWasNotElected() {
            election.comes("a", "1.1.0").writes(lease -> lease.holder("a").acquireTime(election.wall()));
            election.comes("b", "1.0.0");

            Decision decision = election.decide();
            assertThat(decision).isInstanceOf(Decision.WaitUntil.class);
            assertThat(decision.reason()).contains("without having been elected", "left alone until it expires");
        }

        @Test
        void aWorseHolderIsNotAskedIfItIsNoCandidateThoughTheLeaseStillSaysElected() {
            aLeads("1.1.0");
            election.goes("a")
                    .after(ElectionDriver.DURATION)
                    .plainTakes("plain")
                    .comes("b", "1.0.0");

            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
        }

        @Test
        void aWorseHolderIsLeftAloneIfItIsAPlainOneThatTookAGrantThoughItRenewsSeldom() {
            election.comes("a", "1.0.0").comes("b", "1.1.0").decide();
            election.goes("a")
                    .after(ElectionDriver.DURATION)
                    .plainTakes("plain")
                    .renews("b");

            election.after(Duration.ofSeconds(8)).renews("b");

            assertThat(election.decide()).isNotInstanceOf(Decision.Elect.class);
        }
    }

    @Nested
    class ThePreferredHolder {

        @Test
        void thePreferredHolderIsAStillBetterOneThatComesWhileTheHolderDrains() {
            aLeads("1.2.0");
            election.comes("b", "1.1.0").decide();
            election.comes("c", "1.0.0");

            prefers("c");
        }

        @Test
        void thePreferredHolderIsNotReplacedByOneThatTiesWithIt() {
            aLeads("1.2.0");
            election.comes("c", "1.1.0").decide();
            election.comes("b", "1.1.0");

            assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
        }

        @Test
        void thePreferredHolderIsForgottenOnceItIsGone() {
            aLeads("1.1.0");
            election.comes("b", "1.0.0").decide();
            election.goes("b");

            Decision decision = election.decide();
            assertThat(decision).isInstanceOf(Decision.ForgetPreferred.class);
            assertThat(decision.reason()).contains("the preferred holder b disappeared");
            assertThat(election.held().endOfTerm()).isFalse();
            assertThat(election.held().preferredHolder()).isNull();
        }

        @Test
        void thePreferredHolderIsReplacedByTheNextBestOnceItIsGone() {
            aLeads("1.2.0");
            election.comes("b", "1.0.0").comes("c", "1.1.0").decide();
            election.goes("b");

            prefers("c");
        }
    }
}
