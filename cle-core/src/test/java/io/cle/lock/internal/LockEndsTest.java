package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A lock stops whatever the API server does, and an outdated answer changes nothing. */
class LockEndsTest {

    /** A stop's time counts from the last renewal: once the lease has expired, a release changes nothing. */
    @Nested
    class AStopWhileTheApiServerIsAway {

        private final LockDriver lock = LockDriver.coordinated("a");

        @Test
        void aStopWhileTheApiServerIsAwayIsGivenUpWhenTheLeaseHasExpired() {
            lock.leading().outage(Duration.ofSeconds(8)).stop().drained();

            lock.outage(Duration.ofSeconds(7).minusMillis(1));
            assertThat(lock.state().settled()).isFalse();

            lock.outage(Duration.ofMillis(1));
            assertThat(lock.state().settled()).isTrue();
            assertThat(lock.role()).isEqualTo(Role.STOPPED);
            assertThat(lock.state().wakeAt()).as("nothing is left to do").isEqualTo(LockState.NEVER);
            assertThat(lock.reports()).anyMatch(report -> report.contains("gave up handing the lease over"));
        }

        @Test
        void aStopWhileTheApiServerIsAwayIsGivenUpThenAlsoWhileTheReleaseHasNoAnswer() {
            lock.leading().stop().drained();
            assertThat(lock.writing()).as("the release").isNotNull();

            lock.after(Duration.ofSeconds(15));

            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void aStopWhileTheApiServerIsAwayEndsWithTheWorkIfTheLeaseHasExpiredMeanwhile() {
            lock.leading().stop().outage(Duration.ofSeconds(16));
            assertThat(lock.role()).isEqualTo(Role.DRAINING);

            lock.drained();

            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void aStopWhileTheApiServerIsAwayCountsFromARenewalDuringTheDrain() {
            lock.leading().stop().serve(Duration.ofSeconds(10));
            Instant renewed = Objects.requireNonNull(lock.record().renewTime());
            lock.outage(Duration.ofSeconds(10)).drained();
            assertThat(lock.state().settled()).isFalse();

            lock.outage(Duration.between(lock.now().wall(), renewed.plusSeconds(15)));

            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void afterATermThatWasLostEndsWhenItsLeaseHasExpired() {
            lock.leading().outage(Duration.ofSeconds(12)).drained().stop();
            assertThat(lock.state().settled()).isFalse();

            lock.outage(Duration.ofSeconds(3));

            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void aStopWhileTheApiServerIsAwayEndsAtOnceOnStandby() {
            lock.grant("b").hearOfElection().outage(Duration.ofSeconds(4)).stop();

            assertThat(lock.state().settled()).isTrue();
            assertThat(lock.state().wakeAt()).isEqualTo(LockState.NEVER);
            assertThat(lock.reports()).noneMatch(report -> report.contains("gave up"));
        }

        @Test
        void aStopWhileTheApiServerIsAwayEndsAtOnceOnStandbyAlsoWhileARequestHasNoAnswer() {
            lock.grant("b").hearOfElection().after(Duration.ofSeconds(3));
            assertThat(lock.reading()).isTrue();

            lock.stop();

            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void aStopWhileTheApiServerIsAwayCountsFromTheSendingOfAnAcquisitionOfUnknownOutcome() {
            lock.grant("a").after(Duration.ofSeconds(5)).loseWrite().stop();
            assertThat(lock.reports())
                    .last()
                    .asString()
                    .contains("stops in 11 s", "its last attempt to acquire the lease is unknown");

            lock.outage(Duration.ofSeconds(10).minusMillis(1));
            assertThat(lock.state().settled()).isFalse();

            lock.outage(Duration.ofMillis(1));
            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void aStopWhileTheApiServerIsAwayDoesNotWaitForAnAcquisitionThatWasRefused() {
            lock.grant("a")
                    .endWrite(new ApiResult.Refused<>(429, "too many requests", null))
                    .stop();

            assertThat(lock.state().settled()).isTrue();
        }

        @Test
        void aStopWhileTheApiServerIsAwayCountsFromTheSendingOfAnAcquisitionThatHasNoAnswer() {
            lock.grant("a").applyWrite().stop();
            Lease acquired = lock.record();
            lock.after(Duration.ofSeconds(15));
            assertThat(lock.state().settled()).isTrue();

            lock.endWrite(new ApiResult.Ok<>(acquired));
            assertThat(lock.state().settled()).as("after the late answer").isTrue();
            assertThat(lock.actions(Action.Grant.class)).isEmpty();
        }

        @Test
        void aStopWhileTheApiServerIsAwayLeavesALockThatCanBeStartedAgainWhileTheAnswerIsStillOnItsWay() {
            lock.grant("a").applyWrite().stop().after(Duration.ofSeconds(15)).start();
            assertThat(lock.reading()).as("one request at a time").isFalse();

            lock.loseWrite().serve(Duration.ofMinutes(2));

            assertThat(lock.leads()).isTrue();
        }
    }

    @Test
    void aLockThatWasGivenUpCanBeStartedAgain() {
        LockDriver lock = LockDriver.coordinated("a").leading().stop().drained().outage(Duration.ofSeconds(20));

        lock.start().serve(Duration.ofSeconds(1));

        assertThat(lock.leads()).isTrue();
        assertThat(lock.actions(Action.Grant.class)).hasSize(2);
    }

    @Test
    void anAcquisitionWhoseResponseComesAfterItsDeletionWasSeenBeginsNoTerm() {
        LockDriver lock = LockDriver.coordinated("a").grant("a").applyWrite();
        Lease acquired = lock.record();
        lock.showLease().delete();

        lock.endWrite(new ApiResult.Ok<>(acquired));

        assertThat(lock.leads()).isFalse();
        assertThat(lock.state().lease()).isNull();
    }

    @Test
    void aReadThatComesAfterADeletionWasSeenDoesNotBringTheRecordBack() {
        LockDriver lock =
                LockDriver.coordinated("a").grant("b").hearOfElection().after(Duration.ofSeconds(3));
        Lease read = lock.record();
        assertThat(lock.reading()).isTrue();
        lock.delete();

        lock.step(new Event.ReadDone(new ApiResult.Ok<>(Optional.of(read))));

        assertThat(lock.state().lease()).isNull();
    }

    @Test
    void aReadOfALeaseThatWasCreatedAfterADeletionShowsIt() {
        LockDriver lock =
                LockDriver.coordinated("a").grant("b").hearOfElection().after(Duration.ofSeconds(3));
        lock.delete().breakWatch().taken("c", "n3");

        lock.answerRead();

        assertThat(Objects.requireNonNull(lock.state().lease()).holder()).isEqualTo("c");
    }

    @Test
    void anAcquisitionWhoseResponseComesAfterAnotherHolderWasSeenBeginsNoTerm() {
        LockDriver lock = LockDriver.coordinated("a").grant("a").applyWrite();
        Lease acquired = lock.record();
        lock.showLease().write(lease -> lease.holder("by-hand"));

        lock.endWrite(new ApiResult.Ok<>(acquired));

        assertThat(lock.leads()).isFalse();
        assertThat(Objects.requireNonNull(lock.state().lease()).holder()).isEqualTo("by-hand");
    }

    @Test
    void anAcquisitionThatWasAskedToYieldBeforeItsResponseYieldsAtOnce() {
        LockDriver lock = LockDriver.coordinated("a").grant("a").applyWrite();
        Lease acquired = lock.record();
        lock.showLease().askToYield("b");

        lock.endWrite(new ApiResult.Ok<>(acquired));

        assertThat(lock.actions(Action.Grant.class)).hasSize(1);
        assertThat(lock.actions(Action.Revoke.class))
                .extracting(Action.Revoke::reason)
                .containsExactly(RevokeReason.END_OF_TERM);
    }

    @Test
    void aRenewalWhoseResponseComesAfterAnEndOfTermDoesNotHideIt() {
        LockDriver lock = LockDriver.coordinated("a")
                .leading()
                .after(Duration.ofSeconds(3))
                .applyWrite();
        Lease renewed = lock.record();
        lock.showLease().askToYield("b");

        lock.endWrite(new ApiResult.Ok<>(renewed)).drained();

        assertThat(Objects.requireNonNull(lock.writing()).holder()).isEqualTo("b");
    }

    @Test
    void aCandidateThatReturnsLeavesACoordinatorTheWholeDelayToElect() {
        LockDriver lock = LockDriver.coordinated("a").leading().stop().drained().answerWrite();
        lock.after(Duration.ofMinutes(5)).start().relist();

        lock.after(LockDriver.FALLBACK_DELAY.minusMillis(1));
        assertThat(lock.writing()).isNull();

        lock.after(Duration.ofMillis(200));
        assertThat(lock.writing()).isNotNull();
    }

    @Nested
    class AnAnswerToNothing {

        private final LockDriver lock = LockDriver.coordinated("a");

        @Test
        void anAnswerToNothingIsRefusedIfItIsToAWrite() {
            lock.grant("a").loseWrite().after(Duration.ofMillis(250));
            assertThat(lock.reading()).isTrue();

            assertThatIllegalStateException()
                    .isThrownBy(lock::loseWrite)
                    .withMessageContaining("the answer to a write that is not in flight");
        }

        @Test
        void anAnswerToNothingIsRefusedIfItIsToARead() {
            lock.grant("a");

            assertThatIllegalStateException()
                    .isThrownBy(lock::answerRead)
                    .withMessageContaining("the answer to a read that is not in flight");
        }
    }
}
