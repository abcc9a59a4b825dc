package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A candidate that is elected and doesn't begin its term is held off, longer each time (protocol.md#the-holder-goes-away). */
class HoldOffsTest extends ElectionFixture {

    /** The best candidate is there, acknowledges, is elected, and doesn't begin its term; a worse one leads. */
    private void theBestIsElectedAndDoesNotBegin() {
        election.comes("best", "1.0.0").comes("worse", "1.1.0");
        elects("best");
        worseLeadsInstead();
    }

    private void worseLeadsInstead() {
        election.after(Duration.ofSeconds(5)).renews("worse");
        elects("worse");
        election.begins("worse");
    }

    /** Time passes, in which the leader renews, and the best candidate, too. */
    private void after(int seconds) {
        election.after(Duration.ofSeconds(seconds)).holderRenews().renews("best");
    }

    private void isLeftAlone() {
        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
    }

    private void bestIsPreferredAndDoesNotBegin() {
        prefers("best");
        election.handsOver("best");
        worseLeadsInstead();
    }

    @Nested
    class ACandidateThatDidNotBeginItsTerm {

        @Test
        void aCandidateThatDidNotBeginItsTermEndsNoTermForAWhile() {
            theBestIsElectedAndDoesNotBegin();
            after(9);

            isLeftAlone();
        }

        @Test
        void aCandidateThatDidNotBeginItsTermIsPreferredAgainAfterTheWhile() {
            theBestIsElectedAndDoesNotBegin();
            after(10);

            prefers("best");
        }

        @Test
        void aCandidateThatDidNotBeginItsTermEndsNoTermForTwiceAsLongIfALeaderHasHandedOverToItInVain() {
            theBestIsElectedAndDoesNotBegin();
            after(10);
            bestIsPreferredAndDoesNotBegin();
            after(19);

            isLeftAlone();
        }

        @Test
        void aCandidateThatDidNotBeginItsTermIsPreferredAgainAfterTwiceAsLong() {
            theBestIsElectedAndDoesNotBegin();
            after(10);
            bestIsPreferredAndDoesNotBegin();
            after(20);

            prefers("best");
        }

        @Test
        void aCandidateThatDidNotBeginItsTermComesAfterTheOthersInAnElection() {
            theBestIsElectedAndDoesNotBegin();
            election.after(Duration.ofSeconds(1)).handsOver(null).renews("best").renews("worse");

            elects("worse");
        }

        @Test
        void aCandidateThatDidNotBeginItsTermIsElectedIfThereIsNoOther() {
            theBestIsElectedAndDoesNotBegin();
            election.after(Duration.ofSeconds(1)).goes("worse").handsOver(null).renews("best");

            elects("best");
        }

        @Test
        void aCandidateThatDidNotBeginItsTermIsForgivenOnceItHasBegunATerm() {
            theBestIsElectedAndDoesNotBegin();
            after(10);
            prefers("best");
            election.handsOver("best").begins("best").handsOver("best");
            worseLeadsInstead();
            after(10);

            prefers("best");
        }
    }

    @Nested
    class TheReason {

        @Test
        void theReasonNamesTheBetterCandidateThatIsHeldOffAndUntilWhen() {
            theBestIsElectedAndDoesNotBegin();
            Instant until = election.wall().plusSeconds(10).truncatedTo(ChronoUnit.SECONDS);
            after(1);

            assertThat(election.decide().reason())
                    .startsWith(
                            "worse (compatibility version 1.1.0) leads, and best (compatibility version 1.0.0) is better")
                    .endsWith("but is held off until " + until
                            + ", because it was elected 1 time and didn't begin its term");
        }

        @Test
        void theReasonNamesNoCandidateThatIsHeldOffAndNoBetter() {
            election.comes("best", "1.0.0").comes("worse", "1.0.0");
            elects("best");
            worseLeadsInstead();
            after(1);

            assertThat(election.decide().reason()).contains("no candidate is better");
        }

        @Test
        void theReasonNamesNoOtherOnceABetterOneLeads() {
            theBestIsElectedAndDoesNotBegin();
            after(10);
            prefers("best");
            election.handsOver("best").begins("best");

            assertThat(election.decide().reason()).contains("no candidate is better");
        }
    }

    @Nested
    class TheHoldOff {

        @Test
        void theHoldOffBeginsIfTheSameCandidateIsGrantedTheLeaseAnew() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(
                    granted("a"), granted("a").toBuilder().transitions(1).build(), election.now());

            assertThat(holdOffs.held("a", election.now())).isTrue();
        }

        @Test
        void theHoldOffBeginsNotIfAGrantIsEdited() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(
                    granted("a"), granted("a").toBuilder().strategy("Other").build(), election.now());

            assertThat(holdOffs.held("a", election.now())).isFalse();
        }

        @Test
        void theHoldOffHasABound() {
            HoldOffs holdOffs = HoldOffs.NONE;
            for (int i = 0; i < 40; i++) {
                holdOffs = holdOffs.seen(granted("a"), granted("b"), election.now());
            }
            election.after(HoldOffs.LONGEST);

            assertThat(holdOffs.held("a", election.now())).isFalse();
        }

        @Test
        void theHoldOffRemembersABoundedNumberOfCandidates() {
            HoldOffs holdOffs = HoldOffs.NONE;
            for (int i = 0; i < 1000; i++) {
                holdOffs = holdOffs.seen(granted("a" + i), granted("b"), election.now());
            }

            assertThat(holdOffs.failures()).hasSize(HoldOffs.MOST);
        }

        @Test
        void theHoldOffIsForgottenFirstIfItEndsFirstAndThereAreTooMany() {
            HoldOffs holdOffs = HoldOffs.NONE;
            for (int i = 0; i <= HoldOffs.MOST; i++) {
                String candidate = "a" + (i * 37) % (HoldOffs.MOST + 1);
                holdOffs = holdOffs.seen(granted(candidate), granted("b"), election.now());
                election.after(Duration.ofMillis(1));
            }

            assertThat(holdOffs.failures()).hasSize(HoldOffs.MOST).doesNotContainKey("a0");
        }

        @Test
        void theHoldOffIsForgottenFiveMinutesAfterItHasEndedAlthoughNoOtherCandidateFails() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(granted("a"), granted("b"), election.now());

            election.after(HoldOffs.FIRST.plus(HoldOffs.LONGEST).minusNanos(1));
            holdOffs = holdOffs.seen(granted("b"), granted("b"), election.now());
            assertThat(holdOffs.failures()).containsKey("a");

            election.after(Duration.ofNanos(1));
            holdOffs = holdOffs.seen(granted("b"), granted("b"), election.now());
            assertThat(holdOffs.failures()).isEmpty();
        }

        @Test
        void theHoldOffIsNotDescribedOnceItHasEnded() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(granted("a"), granted("b"), election.now());
            election.after(HoldOffs.FIRST);

            assertThat(holdOffs.describe(election.now())).isEmpty();
        }

        @Test
        void theHoldOffIsDescribed() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(granted("a"), granted("b"), election.now());

            assertThat(holdOffs.describe(election.now()))
                    .singleElement()
                    .asString()
                    .startsWith("a is held off until ")
                    .contains("because it was elected 1 time and didn't begin its term");
        }

        /** An admission policy lets the coordinator's annotations pass, and not the candidate's. */
        @Test
        void aCandidateIsHeldOffAlsoIfItsOwnWriteWasStoredWithoutATerm() {
            io.cle.model.internal.Lease changed =
                    granted("a").toBuilder().term(null).build();

            assertThat(HoldOffs.NONE.seen(granted("a"), changed, election.now()).held("a", election.now()))
                    .isTrue();
        }

        private io.cle.model.internal.Lease granted(String holder) {
            return io.cle.model.internal.Lease.builder(ElectionDriver.LEASE)
                    .holder(holder)
                    .acquireTime(election.wall())
                    .renewTime(election.wall())
                    .leaseDuration(ElectionDriver.DURATION)
                    .term(TermAnnotation.granted(holder, election.wall(), TermAnnotation.Ended.NOTHING))
                    .build();
        }
    }
}
