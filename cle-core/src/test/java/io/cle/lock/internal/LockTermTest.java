package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
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

/** How long a term is valid, and what ends it unasked ({@code safety.md#deadline-from-send}). */
class LockTermTest {

    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);

    private final LockDriver lock = LockDriver.coordinated("a");

    // ---- valid until the renew deadline --------------------------------------------------------------------

    @Test
    void aTermEndsAtItsDeadlineAlthoughNoThreadIsWoken() {
        lock.leading().freeze(RENEW_DEADLINE.minusNanos(1));
        assertThat(lock.leads()).isTrue();

        lock.freeze(Duration.ofNanos(1));
        assertThat(lock.leads()).isFalse();
        assertThat(lock.role()).isNotEqualTo(Role.LEADER);
    }

    @Test
    void aRenewalMovesTheDeadlineToTenSecondsAfterItWasSent() {
        lock.leading()
                .after(Duration.ofSeconds(3))
                .freeze(Duration.ofSeconds(2))
                .answerWrite();

        assertThat(Duration.ofNanos(lock.state().validUntil())).isEqualTo(Duration.ofSeconds(13));
    }

    @Test
    void aTermIsRenewedEveryFifthOfTheLeaseDuration() {
        lock.leading().serve(Duration.ofMinutes(1));

        assertThat(lock.actions(Action.WriteLease.class)).hasSize(1 + 20);
        assertThat(lock.actions(Action.Grant.class)).hasSize(1);
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aTermThatCannotBeRenewedIsRevokedAtItsDeadline() {
        lock.leading().outage(RENEW_DEADLINE.minusMillis(1));
        assertThat(lock.leads()).isTrue();

        lock.outage(Duration.ofMillis(1));
        assertThat(lock.actions(Action.Revoke.class))
                .extracting(Action.Revoke::reason)
                .containsExactly(RevokeReason.RENEW_DEADLINE);
    }

    @Test
    void aRenewalThatSucceedsAfterTheDeadlineRevivesNothing() {
        lock.leading().after(Duration.ofSeconds(3)).after(Duration.ofSeconds(7));
        assertThat(lock.actions(Action.Revoke.class)).hasSize(1);

        lock.answerWrite();
        assertThat(lock.leads()).isFalse();
    }

    @Test
    void aProcessThatStoodStillLearnsOfItsEndByWhateverComesFirst() {
        lock.leading().freeze(Duration.ofSeconds(60)).renewed();

        assertThat(lock.leads()).isFalse();
        assertThat(lock.actions(Action.Revoke.class))
                .extracting(Action.Revoke::reason)
                .containsExactly(RevokeReason.RENEW_DEADLINE);
    }

    @Test
    void duringAnOutageAnAttemptIsMadeAtLeastEveryRetryPeriod() {
        lock.leading().outage(RENEW_DEADLINE);

        assertThat(lock.actions(Action.ReadLease.class)).hasSizeGreaterThan(4);
    }

    // ---- an unknown outcome is treated as failed, and read back --------------------------------------------

    @Test
    void anAcquisitionOfUnknownOutcomeBeginsNoTermAndIsReadBack() {
        lock.grant("a").applyWrite().loseWrite();
        assertThat(lock.leads()).isFalse();

        lock.after(Duration.ofSeconds(1));
        assertThat(lock.reading()).isTrue();
        assertThat(lock.writing()).isNull();
    }

    @Test
    void anAcquisitionThatAReadShowsToHaveBeenAppliedBeginsTheTermFromItsSending() {
        lock.breakWatch();
        lock.grant("a").relist().breakWatch().applyWrite().loseWrite();
        assertThat(lock.leads()).isFalse();

        lock.after(Duration.ofSeconds(1)).answerRead();
        assertThat(lock.leads()).isTrue();
        assertThat(Duration.ofNanos(lock.state().validUntil())).isEqualTo(RENEW_DEADLINE);
    }

    @Test
    void aRenewalOfUnknownOutcomeMovesNoDeadline() {
        lock.leading().after(Duration.ofSeconds(3)).applyWrite().loseWrite();

        assertThat(Duration.ofNanos(lock.state().validUntil())).isEqualTo(RENEW_DEADLINE);
    }

    @Test
    void aRenewalThatAReadShowsToHaveBeenAppliedCountsFromItsSending() {
        lock.leading().breakWatch().after(Duration.ofSeconds(3)).applyWrite().loseWrite();
        lock.after(Duration.ofMillis(250)).answerRead();

        assertThat(Duration.ofNanos(lock.state().validUntil())).isEqualTo(Duration.ofSeconds(13));
        assertThat(lock.actions(Action.Revoke.class)).isEmpty();
    }

    @Test
    void aRenewalThatAReadShowsNotToHaveBeenAppliedIsSentAgainAtOnce() {
        lock.leading().after(Duration.ofSeconds(3)).loseWrite();
        lock.after(Duration.ofMillis(250)).answerRead().answerWrite();

        assertThat(Duration.ofNanos(lock.state().validUntil())).isEqualTo(Duration.ofMillis(13_250));
    }

    @Test
    void aLeaderThatReadsAnotherHolderLosesTheTermAtOnce() {
        lock.leading().breakWatch().after(Duration.ofSeconds(3)).loseWrite();
        lock.taken("b", "n2").after(Duration.ofMillis(250)).answerRead();

        assertThat(lock.actions(Action.Revoke.class))
                .extracting(Action.Revoke::reason)
                .containsExactly(RevokeReason.LEASE_LOST);
    }

    @Test
    void aLeaderWhoseWritesFailWhileReadsSucceedTriesAgainAfterGrowingTimesAndKeepsItsTermUntilTheDeadline() {
        LockDriver direct = LockDriver.direct("a").serve(Duration.ofSeconds(1));
        int before = direct.actions(Action.WriteLease.class).size();

        direct.withoutWrites(Duration.ofSeconds(9));
        assertThat(direct.leads()).isTrue();
        assertThat(direct.actions(Action.WriteLease.class)).hasSizeBetween(before + 4, before + 7);

        direct.withoutWrites(Duration.ofSeconds(2));
        assertThat(direct.actions(Action.Revoke.class))
                .extracting(Action.Revoke::reason)
                .containsExactly(RevokeReason.RENEW_DEADLINE);
    }

    @Test
    void aStandbyWhoseWritesFailWhileReadsSucceedTriesAgainOnceALeaseDurationAndLeadsAfterwards() {
        LockDriver direct = LockDriver.direct("a").withoutWrites(Duration.ofMinutes(10));
        assertThat(direct.actions(Action.WriteLease.class)).hasSizeBetween(40, 50);

        assertThat(direct.serve(Duration.ofSeconds(15)).leads()).isTrue();
    }

    @Test
    void aWriteThatFailsLongAfterOthersIsTriedAgainSoon() {
        LockDriver direct = LockDriver.direct("a").withoutWrites(Duration.ofMinutes(1));
        direct.serve(Duration.ofSeconds(17)).after(Duration.ofSeconds(3)).loseWrite();

        assertThat(direct.after(Duration.ofMillis(250)).reading()).isTrue();
    }

    // ---- lost terms and their aftermath -------------------------------------------------------------------

    @Test
    void aLeaseThatAnotherHoldsEndsTheTermAtOnce() {
        lock.leading().taken("b", "n2");

        assertThat(lock.leads()).isFalse();
        assertThat(lock.reports()).anyMatch(report -> report.contains("the holder is 'b'"));
    }

    @Test
    void aLeaseWhoseHolderWasRemovedEndsTheTermAtOnce() {
        lock.leading().write(lease -> lease.holder(null));

        assertThat(lock.leads()).isFalse();
        assertThat(lock.reports()).anyMatch(report -> report.contains("removed the holder"));
    }

    @Test
    void aRecordOfThisHolderThatAnotherWriterHasChangedEndsTheTermAtOnce() {
        lock.leading().write(lease -> lease.acquireTime(null).renewTime(null));

        assertThat(lock.leads()).isFalse();
        assertThat(lock.reports())
                .anyMatch(report -> report.contains("another writer edits the record of its term"))
                .noneMatch(report -> report.contains("the holder is"));
    }

    @Test
    void aDeletedLeaseEndsTheTermAtOnce() {
        lock.leading().delete();

        assertThat(lock.leads()).isFalse();
        assertThat(lock.reports()).anyMatch(report -> report.contains("deleted"));
    }

    @Test
    void aCreationThatIsCarriedOutAfterATermWhoseLeaseWasDeletedWaitsForThatTerm() {
        LockDriver direct = LockDriver.direct("a").after(Duration.ofSeconds(1));

        direct.taken("b", "n2").delete().answerWrite();

        assertThat(direct.leads()).isFalse();
        assertThat(direct.reports()).singleElement().asString().contains("carried out late, after another process");
        assertThat(direct.serve(Duration.ofMillis(14_900)).leads()).isFalse();
        assertThat(direct.serve(Duration.ofMillis(200)).leads()).isTrue();
    }

    @Test
    void aCreationOfUnknownOutcomeThatIsCarriedOutAfterATermWhoseLeaseWasDeletedWaitsForThatTerm() {
        LockDriver direct = LockDriver.direct("a").after(Duration.ofSeconds(1));

        direct.taken("b", "n2").delete().applyWrite().showLease().loseWrite();

        assertThat(direct.serve(Duration.ofMillis(14_900)).leads()).isFalse();
        assertThat(direct.serve(Duration.ofMillis(200)).leads()).isTrue();
    }

    @Test
    void aRenewalThatFindsNoLeaseEndsTheTerm() {
        lock.leading().after(Duration.ofSeconds(3)).endWrite(new ApiResult.Gone<>("not found"));

        assertThat(lock.leads()).isFalse();
    }

    @Test
    void aConflictIsNoReasonToGoOnLeadingForLongerThanTheDeadline() {
        lock.leading()
                .breakWatch()
                .taken("b", "n2")
                .after(Duration.ofSeconds(3))
                .answerWrite();
        assertThat(lock.reading()).isTrue();

        lock.answerRead();
        assertThat(lock.leads()).isFalse();
    }

    /** The API server refuses connections, as during a restart, whenever that begins. */
    @Test
    void anOutageThatEndsBeforeTheLastAttemptEndsNoTerm() {
        for (int phase = 0; phase < 30; phase++) {
            LockDriver restarted = LockDriver.coordinated("a").leading();
            restarted.serve(Duration.ofMillis(2_999 + 100L * phase)).outage(Duration.ofMillis(6_450));

            restarted.serve(Duration.ofSeconds(2));

            assertThat(restarted.actions(Action.Revoke.class))
                    .as("phase " + phase)
                    .isEmpty();
        }
    }

    @Test
    void patienceThatIsAskedForEndsNoTerm() {
        ApiResult<Lease> slowDown = new ApiResult.Refused<>(429, "slow down", Duration.ofSeconds(4));
        lock.leading()
                .after(Duration.ofSeconds(3))
                .endWrite(slowDown)
                .after(Duration.ofSeconds(4))
                .endWrite(slowDown);

        lock.after(Duration.ofMillis(2_500)).answerWrite();

        assertThat(lock.leads()).isTrue();
        assertThat(Duration.ofNanos(lock.state().validUntil())).isEqualTo(Duration.ofMillis(19_500));
    }

    @Test
    void aTermAnnotationThatIsRemovedEndsTheTermAndAnotherBegins() {
        lock.leading().write(lease -> lease.term(null));
        assertThat(lock.leads()).isFalse();

        lock.drained().answerWrite();
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aLockThatLostATermIsACandidateAgain() {
        lock.leading().taken("b", "n2").drained().released().grant("a").answerWrite();

        assertThat(lock.leads()).isTrue();
        assertThat(lock.actions(Action.Grant.class)).hasSize(2);
    }

    @Test
    void aNewTermBeginsOnlyWhenTheWorkOfTheOldOneHasEnded() {
        lock.leading().taken("b", "n2").released().grant("a");
        assertThat(lock.writing()).isNull();

        lock.drained();
        assertThat(lock.writing()).isNotNull();
    }

    @Test
    void aLockThatLostItsTermToAnOutageAcquiresItsOwnRecordAgainAsANewTerm() {
        lock.leading().outage(Duration.ofSeconds(12)).drained().serve(Duration.ofSeconds(5));

        assertThat(lock.leads()).isTrue();
        assertThat(lock.actions(Action.Grant.class)).hasSize(2);
    }

    @Test
    void aLockThatLostItsTermToRefusedRenewalsAcquiresItsRecordAgainAsSoonAsItsWorkHasEnded() {
        lock.leading().after(Duration.ofSeconds(3));
        for (int i = 0; i < 4; i++) {
            lock.endWrite(new ApiResult.Refused<>(500, "no", null)).after(Duration.ofMillis(1750));
        }
        assertThat(lock.actions(Action.Revoke.class)).hasSize(1);

        lock.drained();

        assertThat(lock.writing()).isNotNull();
    }

    // ---- the fencing token ---------------------------------------------------------------------------------

    @Test
    void theFencingTokenIsTheVersionOfTheWriteThatBeganTheTermAndGrows() {
        lock.leading();
        long first = Long.parseLong(lock.record().resourceVersion());
        lock.serve(Duration.ofSeconds(9));
        assertThat(Objects.requireNonNull(lock.state().term()).fencingToken()).isEqualTo(first);

        lock.taken("b", "n2").drained().released().grant("a").answerWrite();
        assertThat(Objects.requireNonNull(lock.state().term()).fencingToken())
                .isEqualTo(Long.parseLong(lock.record().resourceVersion()))
                .isGreaterThan(first);
    }

    // ---- processes of the same name --------------------------------------------------------------------------------

    @Test
    void aTwinThatLeadsIsWaitedOutLikeAnyOtherHolder() {
        lock.taken("a", "another-process");
        lock.after(Duration.ofSeconds(14));
        assertThat(lock.writing()).isNull();

        lock.after(Duration.ofSeconds(1));
        assertThat(lock.writing()).isNotNull();
    }

    /** Like client-go, it writes no term annotations; it may lead. */
    @Test
    void aPlainElectorOfTheSameNameIsWaitedOutLikeAnyOtherHolder() {
        LockDriver direct = LockDriver.direct("a").takenByPlain("a").after(Duration.ofMillis(14_999));
        assertThat(direct.writing()).isNull();

        direct.after(Duration.ofMillis(1));
        assertThat(direct.writing()).isNotNull();
    }

    @Test
    void aPlainElectorOfTheSameNameIsWaitedOutByAProcessThatHasLedBefore() {
        LockDriver direct = LockDriver.direct("a").after(Duration.ofMillis(20)).answerWrite();
        direct.taken("b", "n2").drained().released();
        direct.takenByPlain("a").after(Duration.ofSeconds(14));
        assertThat(direct.actions(Action.WriteLease.class)).hasSize(1);

        direct.after(Duration.ofSeconds(1));
        assertThat(direct.actions(Action.WriteLease.class)).hasSize(2);
    }

    @Test
    void aTwinThatTakesTheLeaseEndsTheTerm() {
        lock.leading().taken("a", "another-process");

        assertThat(lock.leads()).isFalse();
    }

    @Test
    void anOldTermAnnotationUnderItsNameIsNotItsOwnTerm() {
        TermAnnotation old = lock.leading().record().term();
        lock.takenByPlain("plain").drained().after(Duration.ofSeconds(4));
        assertThat(lock.record().term()).isEqualTo(old);

        lock.write(lease -> lease.holder("a").acquireTime(null).renewTime(Instant.EPOCH));

        assertThat(lock.writing())
                .as("the plain holder may lead for 15 s after it took the lease")
                .isNull();
        lock.after(Duration.ofSeconds(11));
        assertThat(lock.writing()).isNotNull();
    }

    // ---- suspended machines ({@code safety.md#suspended-machine}) ---------------------------------------------

    @Nested
    class SuspendedMachine {

        private static final Duration MARGIN = Duration.ofSeconds(5);

        @Test
        void suspendedMachineLedNoLongerWhenItGoesOnBeforeAnyThreadHasNoticed() {
            lock.leading().suspend(MARGIN.plusNanos(1000));

            assertThat(lock.leads()).isFalse();
            assertThat(lock.role()).isNotEqualTo(Role.LEADER);
        }

        @Test
        void suspendedMachineEndsTheTermByWhateverComesFirst() {
            lock.leading().suspend(MARGIN.plusSeconds(20)).showLease();

            assertThat(reasons()).containsExactly(RevokeReason.SUSPENDED);
            assertThat(lock.reports())
                    .singleElement()
                    .asString()
                    .contains("25000 ms since the last renewal")
                    .contains("(5000 ms)");
        }

        @Test
        void suspendedMachineKeepsItsTermWithinTheMargin() {
            lock.leading().suspend(MARGIN).serve(Duration.ofSeconds(3));

            assertThat(lock.leads()).isTrue();
            assertThat(reasons()).isEmpty();
        }

        @Test
        void suspendedMachineAddsUpWhatPassesBetweenTwoRenewals() {
            lock.leading()
                    .suspend(MARGIN.minusSeconds(1))
                    .after(Duration.ofSeconds(1))
                    .suspend(Duration.ofSeconds(2));

            assertThat(lock.leads()).isFalse();
        }

        @Test
        void suspendedMachineCountsAnewFromEachRenewal() {
            lock.leading();
            for (int i = 0; i < 10; i++) {
                lock.suspend(MARGIN.minusSeconds(1)).serve(Duration.ofSeconds(4));
            }

            assertThat(reasons()).isEmpty();
        }

        @Test
        void suspendedMachineEndsOneTermByOneJump() {
            lock.leading().suspend(Duration.ofHours(1)).step(new Event.Tick());
            lock.drained().serve(Duration.ofMinutes(1));

            assertThat(lock.leads()).isTrue();
            assertThat(reasons()).containsExactly(RevokeReason.SUSPENDED);
        }

        @Test
        void suspendedMachineBeginsNoTermByAWriteThatWasUnderWay() {
            lock.grant("a").suspend(MARGIN.plusSeconds(1)).answerWrite();

            assertThat(lock.actions(Action.Grant.class)).isEmpty();
            assertThat(lock.reports())
                    .singleElement()
                    .asString()
                    .contains("may have been suspended while the acquiring");
            assertThat(lock.serve(Duration.ofSeconds(1)).leads()).isTrue();
        }

        @Test
        void suspendedMachineBeginsItsTermByAWriteThatWasUnderWayWithinTheMargin() {
            lock.grant("a").suspend(MARGIN).answerWrite();

            assertThat(lock.leads()).isTrue();
        }

        @Test
        void suspendedMachineRevivesNoTermByARenewalThatWasUnderWay() {
            lock.leading()
                    .after(Duration.ofSeconds(3))
                    .suspend(MARGIN.plusSeconds(1))
                    .answerWrite();

            assertThat(lock.leads()).isFalse();
            assertThat(reasons()).containsExactly(RevokeReason.SUSPENDED);
        }
    }

    @Nested
    class WallClock {

        @Test
        void wallClockEndsNoTermWhenItIsSetBack() {
            lock.leading().suspend(Duration.ofHours(-2)).serve(Duration.ofMinutes(1));

            assertThat(lock.leads()).isTrue();
            assertThat(reasons()).isEmpty();
        }

        @Test
        void wallClockThatWasSetBackHidesNoSuspensionAfterwards() {
            lock.leading().suspend(Duration.ofHours(-2)).step(new Event.Tick()).suspend(Duration.ofSeconds(6));

            assertThat(lock.leads()).isFalse();
        }
    }

    private List<RevokeReason> reasons() {
        return lock.actions(Action.Revoke.class).stream()
                .map(Action.Revoke::reason)
                .toList();
    }
}
