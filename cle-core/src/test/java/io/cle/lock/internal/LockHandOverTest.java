package io.cle.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How a term ends on request: drained while the lease is kept, then handed over ({@code safety.md#drain-before-release}). */
class LockHandOverTest {

    private final LockDriver lock = LockDriver.coordinated("a").leading();

    private Lease writing() {
        return Objects.requireNonNull(lock.writing(), "nothing is being written");
    }

    private List<RevokeReason> revoked() {
        return lock.actions(Action.Revoke.class).stream()
                .map(Action.Revoke::reason)
                .toList();
    }

    // ---- end of term -----------------------------------------------------------------------------------------------

    @Test
    void aLeaderThatIsAskedToYieldStopsLeadingAtOnce() {
        lock.askToYield("b");

        assertThat(lock.leads()).isFalse();
        assertThat(revoked()).containsExactly(RevokeReason.END_OF_TERM);
        assertThat(lock.role()).isEqualTo(Role.DRAINING);
    }

    @Test
    void theLeaseIsRenewedWhileTheWorkIsDrained() {
        lock.askToYield("b").serve(Duration.ofSeconds(20));

        assertThat(lock.record().holder()).isEqualTo("a");
        assertThat(lock.record().renewTime()).isAfter(lock.now().wall().minusSeconds(4));
        assertThat(lock.leads()).isFalse();
    }

    @Test
    void theLeaseIsHandedToThePreferredHolderWithOneWrite() {
        lock.askToYield("b").after(Duration.ofSeconds(1)).drained();

        assertThat(writing().holder()).isEqualTo("b");
        assertThat(writing().granted()).isTrue();
        assertThat(writing().endOfTerm()).isFalse();
        assertThat(writing().preferredHolder()).isNull();
        assertThat(writing().leaseDuration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(writing().transitions()).isEqualTo(lock.record().transitions() + 1);
        assertThat(writing().electedBy()).isEqualTo("coordinated-election-controller");

        lock.answerWrite();
        assertThat(lock.role()).isEqualTo(Role.CANDIDATE);
        assertThat(lock.state().settled()).isTrue();
    }

    @Test
    void aLeaderThatIsAskedToYieldWithoutAPreferredHolderClearsTheHolder() {
        lock.askToYield(null).drained();

        assertThat(writing().holder()).isNull();
    }

    @Test
    void aLeaderThatIsThePreferredHolderLeadsOn() {
        lock.askToYield("a");

        assertThat(lock.leads()).isTrue();
        assertThat(revoked()).isEmpty();
    }

    @Test
    void anotherPreferredHolderDuringTheDrainIsTheOneThatGetsIt() {
        lock.askToYield("b").askToYield("c").drained();

        assertThat(writing().holder()).isEqualTo("c");
    }

    @Test
    void anEndOfTermTakenBackDuringTheDrainReleasesTheLeaseToTheNextElected() {
        lock.askToYield("b").write(Lease.Builder::noEndOfTerm).drained();

        assertThat(writing().holder()).isNull();
    }

    @Test
    void workThatDoesNotEndIsWaitedForUntilTheDrainTimeoutAndNoLonger() {
        lock.askToYield("b").serve(LockDriver.DRAIN_TIMEOUT.minusMillis(1));
        assertThat(lock.record().holder()).isEqualTo("a");

        lock.serve(Duration.ofMillis(1));
        assertThat(lock.record().holder()).isEqualTo("b");
        assertThat(lock.reports()).anyMatch(report -> report.contains("drain timeout"));
    }

    @Test
    void workThatDoesNotEndIsWaitedForNoLongerAlsoWhileARenewalHasNoAnswer() {
        lock.after(Duration.ofSeconds(3)).askToYield("b");
        assertThat(lock.writing()).as("the renewal").isNotNull();

        lock.after(LockDriver.DRAIN_TIMEOUT);

        assertThat(lock.reports()).anyMatch(report -> report.contains("drain timeout"));
    }

    @Test
    void aDrainThatIsReportedTwiceOrForAnotherTermChangesNothing() {
        lock.askToYield("b").step(new Event.Drained(-1));
        assertThat(lock.role()).isEqualTo(Role.DRAINING);
        assertThat(lock.writing()).isNull();

        lock.drained().drained();
        assertThat(lock.actions(Action.WriteLease.class)).hasSize(2);
    }

    @Test
    void aHandOverThatMeetsAChangeIsWrittenAnewOnWhatWasSeen() {
        lock.askToYield("b").drained().askToYield("c").answerWrite();

        assertThat(writing().holder()).isEqualTo("c");
    }

    @Test
    void aHandOverOfUnknownOutcomeIsReadBack() {
        lock.breakWatch();
        lock.askToYield("b").relist().breakWatch().drained().applyWrite().loseWrite();
        lock.after(Duration.ofSeconds(1)).answerRead();

        assertThat(lock.role()).isEqualTo(Role.CANDIDATE);
        assertThat(lock.writing()).isNull();
        assertThat(lock.record().holder()).isEqualTo("b");
    }

    @Test
    void aHandOverWithoutAResponseIsGivenUpWhenTheLeaseHasExpired() {
        lock.askToYield("b").drained().outage(Duration.ofSeconds(16));

        assertThat(lock.role()).isEqualTo(Role.CANDIDATE);
        assertThat(lock.reports()).anyMatch(report -> report.contains("gave up handing the lease over"));
    }

    @Test
    void aLeaseThatIsLostDuringTheDrainIsNotHandedOver() {
        lock.askToYield("b").taken("c", "n3").drained();

        assertThat(lock.role()).isEqualTo(Role.CANDIDATE);

        assertThat(lock.writing()).isNull();
        assertThat(lock.record().holder()).isEqualTo("c");
        assertThat(revoked()).containsExactly(RevokeReason.END_OF_TERM);
    }

    // ---- stop ------------------------------------------------------------------------------------------------------

    @Test
    void aStopWaitsForTheAnswerToItsReleaseAlsoIfTheWatchHasShownIt() {
        lock.stop().drained().applyWrite().showLease();
        assertThat(lock.state().settled()).isFalse();

        lock.endWrite(new ApiResult.Ok<>(lock.record()));
        assertThat(lock.state().settled()).isTrue();
    }

    @Test
    void aStopWithdrawsDrainsAndClearsTheHolder() {
        TermAnnotation.Ended ended = lock.record().endedWhenReplaced();
        lock.stop();
        assertThat(lock.actions(Action.Withdraw.class)).hasSize(1);
        assertThat(revoked()).containsExactly(RevokeReason.STOPPED);

        lock.drained();
        assertThat(writing().holder()).isNull();
        assertThat(writing().electedBy()).isNull();
        assertThat(writing().term()).isEqualTo(TermAnnotation.released(ended));
        assertThat(writing().leaseDuration()).isEqualTo(Duration.ofSeconds(1));

        lock.answerWrite();
        assertThat(lock.role()).isEqualTo(Role.STOPPED);
        assertThat(lock.state().settled()).isTrue();
        assertThat(lock.state().wakeAt()).isEqualTo(LockState.NEVER);
    }

    @Test
    void aStopOfAHolderThatWasAskedToYieldHandsToThePreferredOne() {
        lock.askToYield("b").stop().drained();

        assertThat(writing().holder()).isEqualTo("b");
        assertThat(revoked()).containsExactly(RevokeReason.END_OF_TERM);
    }

    @Test
    void aStopDuringAnAcquisitionReleasesWhatItAcquires() {
        LockDriver other = LockDriver.coordinated("a").grant("a").stop().answerWrite();

        assertThat(other.leads()).isFalse();
        assertThat(other.actions(Action.Grant.class)).isEmpty();
        assertThat(Objects.requireNonNull(other.writing()).holder()).isNull();
    }

    @Test
    void aStopDuringAnAcquisitionOfUnknownOutcomeReleasesWhatWasAcquired() {
        LockDriver other =
                LockDriver.coordinated("a").grant("a").stop().applyWrite().loseWrite();

        other.serve(Duration.ofSeconds(2));

        assertThat(other.record().holder()).isNull();
        assertThat(other.state().settled()).isTrue();
    }

    @Test
    void aSecondStopChangesNothing() {
        lock.stop().stop();

        assertThat(revoked()).hasSize(1);
    }

    @Test
    void aStoppedLockAcquiresNoGrant() {
        lock.stop().drained().answerWrite().grant("a").after(Duration.ofMinutes(5));

        assertThat(lock.writing()).isNull();
    }

    @Test
    void aStartDuringTheDrainOfAStopMakesACandidateAfterwards() {
        lock.stop().start().drained().answerWrite().grant("a").answerWrite();

        assertThat(lock.leads()).isTrue();
    }

    // ---- resignation -----------------------------------------------------------------------------------------------

    @Test
    void aResigningLeaderWithdrawsDrainsAndClearsTheHolder() {
        lock.resign().drained();

        assertThat(revoked()).containsExactly(RevokeReason.RESIGNED);
        assertThat(lock.actions(Action.Withdraw.class)).hasSize(1);
        assertThat(writing().holder()).isNull();
    }

    @Test
    void afterAResignationTheCandidateStaysAwayForOneLeaseDuration() {
        lock.resign().drained().answerWrite();
        lock.grant("a").after(Duration.ofSeconds(14));
        assertThat(lock.writing()).isNull();
        assertThat(lock.actions(Action.Announce.class)).hasSize(1);

        lock.after(Duration.ofSeconds(1));
        assertThat(lock.actions(Action.Announce.class)).hasSize(2);
        assertThat(lock.writing()).isNotNull();
    }

    @Test
    void aResignationThatCouldNotReleaseIsFollowedByACandidacyAllTheSame() {
        lock.resign().drained().loseWrite().after(Duration.ofSeconds(2)).after(Duration.ofSeconds(30));
        lock.answerRead().after(Duration.ofSeconds(30));

        assertThat(lock.actions(Action.Announce.class)).hasSize(2);
    }

    @Test
    void aStandbyHasNothingToResign() {
        LockDriver standby = LockDriver.coordinated("a").resign();

        assertThat(standby.actions(Action.Withdraw.class)).isEmpty();
        assertThat(standby.state().settled()).isTrue();
    }

    @Test
    void aStopAfterAResignationIsAStop() {
        lock.resign().stop().drained().answerWrite().after(Duration.ofMinutes(1));

        assertThat(lock.role()).isEqualTo(Role.STOPPED);
        assertThat(lock.actions(Action.Announce.class)).hasSize(1);
    }

    @Nested
    class ResignationForASuccessor {

        @Test
        void resignationForASuccessorGivesTheSuccessorTheLeaseWithOneWrite() {
            lock.resign("b").drained();

            assertThat(writing().holder()).isEqualTo("b");
            assertThat(writing().granted()).isTrue();
            assertThat(writing().electedBy()).isEqualTo("candidate-hand-over");
            assertThat(writing().transitions()).isEqualTo(lock.record().transitions() + 1);

            lock.answerWrite();
            assertThat(revoked()).containsExactly(RevokeReason.RESIGNED);
            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void resignationForASuccessorKeepsTheLeaseUntilTheWorkHasEnded() {
            lock.resign("b").serve(Duration.ofSeconds(20));

            assertThat(lock.record().holder()).isEqualTo("a");
            assertThat(lock.leads()).isFalse();
        }

        @Test
        void resignationForASuccessorTakesPrecedenceOverACoordinatorsChoiceDuringTheDrain() {
            lock.resign("b").askToYield("c").drained();

            assertThat(writing().holder()).isEqualTo("b");
        }

        @Test
        void resignationForASuccessorEndsWithAReleaseIfTheProcessIsStoppedMeanwhile() {
            lock.resign("b").stop().drained();

            assertThat(writing().holder()).isNull();
        }

        @Test
        void resignationForASuccessorIsForgottenOnceTheProcessIsACandidateAgain() {
            lock.resign("b").drained().answerWrite().after(Duration.ofSeconds(15));
            lock.grant("a").answerWrite().stop().drained();

            assertThat(writing().holder()).isNull();
        }
    }

    // ---- pairs -----------------------------------------------------------------------------------------------------

    @Test
    void grantsAndRevocationsComeInPairsAndInOrder() {
        lock.askToYield("b").drained().answerWrite();
        lock.grant("a").answerWrite().outage(Duration.ofSeconds(11)).drained();
        lock.serve(Duration.ofSeconds(6)).delete().drained();

        List<String> told = lock.actions().stream()
                .filter(action -> action instanceof Action.Grant || action instanceof Action.Revoke)
                .map(action -> action instanceof Action.Grant grant
                        ? "granted " + grant.term().fencingToken()
                        : "revoked " + ((Action.Revoke) action).term().fencingToken())
                .toList();
        assertThat(told).hasSize(6);
        for (int i = 0; i < told.size(); i += 2) {
            assertThat(told.get(i)).startsWith("granted ");
            assertThat(told.get(i + 1)).isEqualTo(told.get(i).replace("granted", "revoked"));
        }
    }
}
