package io.cle.lock.internal;

import java.time.Duration;

import io.cle.RevokeReason;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a lock does when etcd was restored from a backup: {@code safety.md#succession}. */
class LockNewHistoryTest {

    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    private static final Duration JITTER = Duration.ofMillis(150);

    @Nested
    class Standby {

        private final LockDriver lock = LockDriver.direct("b");

        @Test
        void theStandbyWaitsOutATermThatTheRestoredRecordDoesNotShow() {
            Lease free = lock.taken("z", "n9").released().record();
            lock.taken("a", "n2");

            lock.restore(free).relist().answerRead().after(LEASE_DURATION.minusMillis(1));
            assertThat(lock.writing()).isNull();
            assertThat(lock.reports())
                    .singleElement()
                    .asString()
                    .contains("begins no term before one of the former history has run out");

            lock.after(JITTER.plusMillis(1));
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void theStandbyDoesNotBeginByItsOwnRestoredRecordBeforeTheTermThatFollowedHasRunOut() {
            lock.after(JITTER).answerWrite();
            Lease own = lock.record();
            lock.taken("a", "n2").drained();

            lock.restore(own).relist().answerRead().after(LEASE_DURATION.minusMillis(1));
            assertThat(lock.writing()).isNull();

            lock.after(Duration.ofMillis(1)).answerWrite();
            assertThat(lock.leads()).isTrue();
        }

        @Test
        void theStandbyReportsATokenThatIsSmallerThanOneThatItHasSeen() {
            Lease free = lock.taken("z", "n9").released().record();
            lock.taken("a", "n2").renewed().taken("a", "n3");
            String largest = lock.record().resourceVersion();

            lock.restore(free)
                    .relist()
                    .answerRead()
                    .after(LEASE_DURATION.plus(JITTER))
                    .answerWrite();

            assertThat(lock.leads()).isTrue();
            assertThat(lock.reports())
                    .last()
                    .asString()
                    .contains("the fencing token " + lock.record().resourceVersion(), "smaller than " + largest);
        }
    }

    @Nested
    class Leader {

        private final LockDriver lock = LockDriver.coordinated("a").leading();

        @Test
        void theLeaderEndsItsTermAndLeadsAgainIfTheRestoredRecordIsOfItsTerm() {
            Lease begun = lock.record();
            lock.serve(Duration.ofSeconds(7)).restore(begun).relist().answerRead();
            assertThat(lock.leads()).isFalse();

            lock.drained().serve(Duration.ofSeconds(50));
            assertThat(lock.leads()).isTrue();
        }

        @Test
        void theLeaderEndsItsTermIfTheRestoredRecordIsOfAnother() {
            LockDriver follower = LockDriver.coordinated("a").taken("z", "n9");
            Lease earlier = follower.record();
            follower.released().leading();

            follower.restore(earlier).relist().answerRead();

            assertThat(follower.leads()).isFalse();
            assertThat(follower.actions(Action.Revoke.class))
                    .extracting(Action.Revoke::reason)
                    .containsExactly(RevokeReason.LEASE_LOST);
        }
    }

    @Nested
    class OlderRead {

        private final LockDriver lock = LockDriver.coordinated("a").taken("z", "n9");

        @Test
        void olderReadIsARestore() {
            Lease earlier = lock.record();
            lock.renewed().restore(earlier).breakWatch().hearOfElection().after(Duration.ofSeconds(2));

            lock.answerRead();

            assertThat(lock.state().lease().resourceVersion()).isEqualTo(earlier.resourceVersion());
            assertThat(lock.reports()).last().asString().contains("etcd was restored from a backup");
        }

        @Test
        void olderReadIsNothingIfTheWatchHasOvertakenIt() {
            Lease earlier = lock.record();
            lock.hearOfElection().after(Duration.ofSeconds(2));
            lock.renewed();
            Lease current = lock.record();

            lock.restore(earlier).answerRead();

            assertThat(lock.state().lease()).isEqualTo(current);
            assertThat(lock.after(Duration.ofSeconds(1)).reading()).isFalse();
        }

        @Test
        void olderReadIsTakenIfWhatWasKnownIsDeletedMeanwhile() {
            Lease earlier = lock.record();
            lock.renewed().hearOfElection().after(Duration.ofSeconds(2));
            assertThat(lock.reading()).isTrue();

            lock.delete().restore(earlier).answerRead();

            assertThat(lock.state().lease()).isEqualTo(earlier);
        }

        @Test
        void olderReadIsTakenIfItWasSentAfterTheDeletion() {
            Lease earlier = lock.record();
            lock.renewed().delete().hearOfElection().after(Duration.ofSeconds(2));
            assertThat(lock.reading()).isTrue();

            lock.restore(earlier).answerRead();

            assertThat(lock.state().lease()).isEqualTo(earlier);
        }
    }

    @Test
    void anOlderListOfAnotherWatchHasTheLeaseRead() {
        LockDriver lock = LockDriver.coordinated("a").taken("z", "n9");
        Lease earlier = lock.record();

        lock.renewed().restore(earlier).relist();

        assertThat(lock.reading()).isTrue();
    }
}
