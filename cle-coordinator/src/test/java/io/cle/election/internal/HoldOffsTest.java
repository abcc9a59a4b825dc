package io.cle.election.internal;

import java.time.Duration;

import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A candidate that is elected and doesn't begin its term is held off for two minutes (protocol.md#the-holder-goes-away). */
class HoldOffsTest extends ElectionFixture {

    /** The best candidate acknowledges and is elected, but doesn't begin its term; a worse one leads. */
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

    /** Advances time; the leader and the best candidate renew. */
    private void after(int seconds) {
        election.after(Duration.ofSeconds(seconds)).holderRenews().renews("best");
    }

    private void isLeftAlone() {
        assertThat(election.decide()).isInstanceOf(Decision.WaitUntil.class);
    }

    @Nested
    class ACandidateThatDidNotBeginItsTerm {

        @Test
        void aCandidateThatDidNotBeginItsTermEndsNoTermForAWhile() {
            theBestIsElectedAndDoesNotBegin();
            after(119);

            isLeftAlone();
        }

        @Test
        void aCandidateThatDidNotBeginItsTermIsPreferredAgainAfterTheWhile() {
            theBestIsElectedAndDoesNotBegin();
            after(120);

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
    }

    @Nested
    class TheReason {

        @Test
        void theReasonSaysThatABetterCandidateIsHeldOff() {
            theBestIsElectedAndDoesNotBegin();
            after(1);

            assertThat(election.decide().reason())
                    .isEqualTo("worse (compatibility version 1.1.0) leads, and better candidates are held off");
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
            after(120);
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
        void theHoldOffEndsWhenTheCandidateBeginsATerm() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(granted("a"), granted("b"), election.now());
            io.cle.model.internal.Lease begun = granted("a").toBuilder()
                    .term(TermAnnotation.begun(
                            "n1", "w1", ElectionDriver.DURATION, "a", election.wall(), TermAnnotation.Ended.NOTHING))
                    .build();

            assertThat(holdOffs.held("a", election.now())).isTrue();
            assertThat(holdOffs.seen(granted("a"), begun, election.now()).held("a", election.now()))
                    .isFalse();
        }

        @Test
        void theHoldOffIsForgottenOnceItHasEnded() {
            HoldOffs holdOffs = HoldOffs.NONE.seen(granted("a"), granted("b"), election.now());

            election.after(HoldOffs.LENGTH.minusNanos(1));
            holdOffs = holdOffs.seen(granted("b"), granted("b"), election.now());
            assertThat(holdOffs.ends()).containsKey("a");

            election.after(Duration.ofNanos(1));
            holdOffs = holdOffs.seen(granted("b"), granted("b"), election.now());
            assertThat(holdOffs.ends()).isEmpty();
        }

        /** An admission policy keeps the coordinator's annotations, but drops the candidate's. */
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
