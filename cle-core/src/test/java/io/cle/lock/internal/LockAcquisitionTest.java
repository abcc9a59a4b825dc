package io.cle.lock.internal;

import java.time.Duration;
import java.util.Objects;

import io.cle.Role;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.lock.internal.LockState.BegunTerm;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What begins a term, and what doesn't ({@code safety.md#write-starts-term}). */
class LockAcquisitionTest {

    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);

    private final LockDriver lock = LockDriver.coordinated("a");

    private Lease writing() {
        return Objects.requireNonNull(lock.writing(), "nothing is being written");
    }

    private long tokenOfRecord() {
        return Long.parseLong(Objects.requireNonNull(lock.record().resourceVersion()));
    }

    @Nested
    class AGrant {

        // ---- only a successful write begins a term -------------------------------------------------------------

        @Test
        void aGrantIsNoTermYet() {
            lock.grant("a");

            assertThat(lock.leads()).isFalse();
            assertThat(lock.role()).isEqualTo(Role.CANDIDATE);
            assertThat(writing().holder()).isEqualTo("a");
        }

        /** kube-apiserver grants like this if the candidates ask for its strategy. */
        @Test
        void withoutATermAnnotationIsAcquiredAtOnce() {
            lock.write(lease -> lease.holder("a").renewTime(lock.now().wall()).leaseDuration(Duration.ofSeconds(5)));

            assertThat(writing().holder()).isEqualTo("a");
        }

        @Test
        void aGrantToADirectLockIsAcquiredAtOnce() {
            LockDriver direct = LockDriver.direct("a").taken("b", "n2").grant("a");

            assertThat(Objects.requireNonNull(direct.writing()).confirmed()).isTrue();
        }
    }

    @Nested
    class TheAnswer {

        @Test
        void ofSuccessBeginsTheTerm() {
            lock.grant("a").answerWrite();

            assertThat(lock.leads()).isTrue();
            assertThat(lock.actions(Action.Grant.class)).hasSize(1);
            assertThat(lock.role()).isEqualTo(Role.LEADER);
        }

        @Test
        void ofARefusalBeginsNoTerm() {
            lock.grant("a").endWrite(new ApiResult.Refused<>(403, "leases is forbidden", null));

            assertThat(lock.leads()).isFalse();
            assertThat(lock.reports()).anyMatch(report -> report.contains("403") && report.contains("forbidden"));
        }

        @Test
        void ofAConflictBeginsNoTermAndTheAcquisitionIsNotRepeatedOnTheOldRecord() {
            lock.grant("a").grant("b").answerWrite();

            assertThat(lock.leads()).isFalse();
            assertThat(lock.writing()).isNull();
            assertThat(lock.reading()).as("what it lost to was seen already").isFalse();
        }

        @Test
        void ofAConflictWithSomethingThatWasNotSeenIsFollowedByARead() {
            lock.grant("a").breakWatch().grant("b").answerWrite();
            assertThat(lock.reading()).isTrue();

            lock.answerRead();
            assertThat(lock.leads()).isFalse();
            assertThat(lock.writing()).isNull();
        }

        @Test
        void ofAConflictWithAHarmlessEditIsFollowedByAnotherAcquisitionAtOnce() {
            lock.grant("a").write(lease -> lease.strategy("Other")).answerWrite();
            assertThat(writing().strategy()).isEqualTo("Other");

            lock.answerWrite();
            assertThat(lock.leads()).isTrue();
        }

        @Test
        void ofConflictsWithoutEndIsNotFollowedByAcquisitionsWithoutEnd() {
            lock.grant("a");
            for (int i = 0; i < 4; i++) {
                lock.write(lease -> lease.strategy("Other" + lock.record().resourceVersion()));
                lock.answerWrite();
            }

            assertThat(lock.writing()).isNull();
            assertThat(lock.state().wakeAt()).isGreaterThan(lock.now().nanos());
        }

        @Test
        void ofConflictsIsFollowedByAnAcquisitionAtOnceIfTheLeaseIsGrantedAnew() {
            lock.grant("a");
            for (int i = 0; i < 4; i++) {
                lock.write(lease -> lease.strategy("Other" + lock.record().resourceVersion()));
                lock.answerWrite();
            }
            lock.grant("b").after(Duration.ofMillis(1)).grant("a");

            assertThat(writing().holder()).isEqualTo("a");
        }

        @Test
        void afterTheDeadlineBeginsNoTermAndTheAcquisitionIsMadeAnew() {
            lock.grant("a").freeze(RENEW_DEADLINE).answerWrite();

            assertThat(lock.leads()).isFalse();
            assertThat(lock.actions(Action.Grant.class)).isEmpty();
            assertThat(lock.reports()).anyMatch(report -> report.contains("longer than the renew deadline"));

            lock.answerWrite();
            assertThat(lock.leads()).isTrue();
        }

        @Test
        void theAnswerThatComesLateBeginsATermThatIsValidFromTheSending() {
            lock.grant("a").freeze(Duration.ofSeconds(4)).answerWrite();
            assertThat(lock.leads()).isTrue();

            lock.freeze(Duration.ofSeconds(6));
            assertThat(lock.leads()).isFalse();
        }
    }

    /** safety.md#succession: the lease exists, so its holder may lead, although this process hasn't seen it. */
    @Nested
    class ARefusedCreation {

        private final LockDriver direct = LockDriver.direct("a");

        private LockDriver refused() {
            return direct.breakWatch()
                    .after(Duration.ofSeconds(1))
                    .taken("b", "n2")
                    .answerWrite();
        }

        private LockDriver refusedAndRead() {
            return refused().after(Duration.ofSeconds(2)).answerRead();
        }

        @Test
        void aRefusedCreationIsReadIfTheWatchDoesNotShowWhatIsThere() {
            refused().after(Duration.ofMillis(1_900));
            assertThat(direct.reading()).isFalse();

            direct.after(Duration.ofMillis(100));
            assertThat(direct.reading()).isTrue();
        }

        @Test
        void aRefusedCreationIsNotReadIfTheWatchShowsWhatIsThere() {
            refused().step(new Event.LeaseSeen(direct.record(), true)).after(Duration.ofSeconds(5));

            assertThat(direct.reading()).isFalse();
            assertThat(direct.writing()).isNull();
        }

        @Test
        void ofALeaseThatIsDeletedBeforeItIsReadIsFollowedByAWait() {
            refused().delete().after(Duration.ofSeconds(2)).answerRead();
            assertThat(direct.writing()).isNull();

            direct.after(Duration.ofMillis(14_900));
            assertThat(direct.writing()).isNull();

            direct.after(Duration.ofSeconds(2)).applyWrite();
            direct.step(new Event.LeaseSeen(direct.record(), true));
            assertThat(direct.leads()).isTrue();
        }

        @Test
        void aRefusedCreationCountsFromTheReadThatFindsNoLeaseBecauseItsHolderMayHaveRenewedUntilThen() {
            refused()
                    .after(Duration.ofSeconds(2))
                    .loseRead()
                    .outage(Duration.ofSeconds(30))
                    .delete()
                    .serve(Duration.ofSeconds(10));

            assertThat(direct.leads()).isFalse();
        }

        @Test
        void aRefusedCreationMayHaveHiddenATermBeforeTheOneThatIsRead() {
            refusedAndRead().released();
            direct.relist();
            direct.serve(Duration.ofSeconds(14));
            assertThat(direct.leads()).isFalse();

            direct.serve(Duration.ofSeconds(2));
            assertThat(direct.leads()).isTrue();
        }

        @Test
        void ofALeaseThatTheWatchShowsIsNoGap() {
            refused().step(new Event.LeaseSeen(direct.record(), true));
            direct.relist();
            direct.released().serve(Duration.ofSeconds(1));

            assertThat(direct.leads()).isTrue();
        }
    }

    @Nested
    class TheWatch {

        // ---- the watch delivers the acquiring write before its answer --------------------------------------------

        @Test
        void theWatchBeginsTheTermBeforeTheAnswerWhichBeginsNoOther() {
            lock.grant("a").applyWrite().showLease();
            assertThat(lock.leads()).isTrue();
            assertThat(lock.state().term())
                    .isNotNull()
                    .extracting(BegunTerm::fencingToken)
                    .isEqualTo(tokenOfRecord());

            lock.endWrite(new ApiResult.Ok<>(lock.record()));
            assertThat(lock.leads()).isTrue();
            assertThat(lock.actions(Action.Grant.class)).hasSize(1);
        }

        @Test
        void theWatchBeginsTheTermWhateverTheAnswerIs() {
            lock.grant("a")
                    .applyWrite()
                    .showLease()
                    .loseWrite()
                    .after(Duration.ofMillis(250))
                    .answerRead();

            assertThat(lock.leads()).isTrue();
            assertThat(lock.actions(Action.Grant.class)).hasSize(1);
        }

        @Test
        void theWatchBeginsATermThatIsValidFromTheSending() {
            lock.grant("a").applyWrite().freeze(Duration.ofSeconds(4)).showLease();
            assertThat(lock.leads()).isTrue();

            lock.freeze(Duration.ofSeconds(6));
            assertThat(lock.leads()).isFalse();
        }

        @Test
        void theWatchBeginsNoTermAfterTheDeadline() {
            lock.grant("a").applyWrite().freeze(RENEW_DEADLINE).showLease();

            assertThat(lock.actions(Action.Grant.class)).isEmpty();
        }

        @Test
        void theWatchBeginsTheTermByAListThatShowsTheAcquisition() {
            lock.grant("a").breakWatch().applyWrite();
            lock.relist();
            assertThat(lock.leads()).isTrue();

            lock.endWrite(new ApiResult.Ok<>(lock.record()));
            assertThat(lock.leads()).isTrue();
            assertThat(lock.actions(Action.Grant.class)).hasSize(1);
        }

        @Test
        void theWatchBeginsNoTermByAnEditOfAnAcquisitionThatNamesAnotherHolder() {
            lock.grant("a").breakWatch().applyWrite();
            lock.write(lease -> lease.holder("b"));
            lock.relist();

            assertThat(lock.leads()).isFalse();
            assertThat(lock.actions(Action.Grant.class)).isEmpty();
        }

        @Test
        void theWatchBeginsNoTermByAnotherWritersRecord() {
            lock.grant("a").write(lease -> lease.strategy("Other"));
            assertThat(lock.leads()).isFalse();

            lock.taken("a", "n2");
            assertThat(lock.leads()).isFalse();
        }

        @Test
        void theWatchHasBegunTheTermAndTheAnswerBeginsNoSecondOneAfterTheFirstWasLost() {
            lock.grant("a").applyWrite();
            Lease acquired = lock.record();
            lock.showLease().takenByPlain("b");
            lock.write(lease ->
                    lease.holder("a").acquireTime(acquired.acquireTime()).term(null));

            lock.endWrite(new ApiResult.Ok<>(acquired));
            assertThat(lock.actions(Action.Grant.class)).hasSize(1);
        }
    }

    @Nested
    class TheStoredRecord {

        @Test
        void theStoredRecordKeepsElectedByAndStrategyAndHasTheTermAnnotation() {
            lock.after(Duration.ofSeconds(5)).grant("a");

            assertThat(writing().electedBy()).isEqualTo("coordinated-election-controller");
            assertThat(writing().strategy()).isEqualTo("OldestCompatibilityVersion");
            assertThat(writing().transitions()).isEqualTo(lock.record().transitions());
            assertThat(writing().confirmed()).isTrue();
            assertThat(writing().leaseDuration()).isEqualTo(Duration.ofSeconds(15));
        }

        /** As an admission webhook may store it: the term annotation describes another record. */
        @Test
        void withoutItsAcquireTimeBeginsNoTermWhenTheWatchShowsIt() {
            lock.grant("a");
            Lease desired = writing();
            lock.write(lease -> lease.holder("a").term(desired.term()).acquireTime(null));

            assertThat(lock.actions(Action.Grant.class)).isEmpty();
            assertThat(lock.leads()).isFalse();
        }

        @Test
        void withoutItsAcquireTimeBeginsNoTermByTheAnswer() {
            lock.grant("a");
            Lease stored = writing().toBuilder()
                    .resourceVersion("99")
                    .acquireTime(null)
                    .build();
            lock.endWrite(new ApiResult.Ok<>(stored));

            assertThat(lock.actions(Action.Grant.class)).isEmpty();
            assertThat(lock.leads()).isFalse();
        }

        @Test
        void withTransitionsThatNoLongerCountKeepsNoTermFromBeginning() {
            LockDriver direct = LockDriver.direct("a");
            direct.taken("b", "n9")
                    .write(lease -> lease.transitions(Integer.MAX_VALUE))
                    .serve(Duration.ofSeconds(16));

            assertThat(direct.leads()).isTrue();
            assertThat(direct.record().transitions()).isEqualTo(Integer.MAX_VALUE);
        }
    }
}
