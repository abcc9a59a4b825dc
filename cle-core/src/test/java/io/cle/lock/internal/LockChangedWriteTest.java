package io.cle.lock.internal;

import java.time.Duration;

import io.cle.RevokeReason;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** An admission policy changes writes (safety.md#write-that-stays). */
class LockChangedWriteTest {

    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

    /** How a policy changes each write of a Lease. */
    private enum Policy {
        /** {@code drop-annotations.yaml}. */
        DROPS_ANNOTATIONS {
            @Override
            Lease.Builder apply(Lease.Builder written) {
                return written.term(null).electedBy(null).strategy(null).noEndOfTerm();
            }
        },
        SHORTENS {
            @Override
            Lease.Builder apply(Lease.Builder written) {
                return written.leaseDuration(Duration.ofSeconds(5));
            }
        },
        DROPS_RENEW_TIME {
            @Override
            Lease.Builder apply(Lease.Builder written) {
                return written.renewTime(null);
            }
        },
        NAMES_ANOTHER_HOLDER {
            @Override
            Lease.Builder apply(Lease.Builder written) {
                return written.holder("nobody");
            }
        };

        abstract Lease.Builder apply(Lease.Builder written);
    }

    private static long failures(LockDriver lock) {
        return lock.actions(Action.RequestFailed.class).stream()
                .filter(failed -> failed.message().contains("something is missing"))
                .count();
    }

    private static long writes(LockDriver lock) {
        return lock.actions(Action.WriteLease.class).size();
    }

    private static void isHeldOff(LockDriver lock, Policy policy) {
        lock.serveChangedBy(policy::apply, Duration.ofMinutes(5));

        assertThat(lock.actions(Action.Grant.class)).isEmpty();
        assertThat(failures(lock)).as("one per write").isEqualTo(writes(lock));
        assertThat(writes(lock)).as("tried again, and not in a loop").isBetween(5L, 40L);
    }

    @Nested
    class OfACandidate {

        @ParameterizedTest
        @EnumSource(Policy.class)
        void aCandidateThatRacesIsHeldOff(Policy policy) {
            isHeldOff(LockDriver.direct("a"), policy);
        }

        @ParameterizedTest
        @EnumSource(Policy.class)
        void aCandidateThatWasElectedIsHeldOff(Policy policy) {
            isHeldOff(LockDriver.coordinated("a").grant("a"), policy);
        }

        @ParameterizedTest
        @EnumSource(Policy.class)
        void aCandidateWhoseWriteIsChangedLeadsOnceAWriteStays(Policy policy) {
            LockDriver lock = LockDriver.direct("a").serveChangedBy(policy::apply, Duration.ofMinutes(5));

            lock.serve(LEASE_DURATION.multipliedBy(2).plusSeconds(1));

            assertThat(lock.leads()).isTrue();
        }

        @Test
        void aCandidateWhoseWriteIsChangedLeadsByAWriteOfWhichNoReaderWaitsForLess() {
            LockDriver lock = LockDriver.coordinated("a").grant("a");

            lock.answerWriteChangedBy(written -> written.managed(false).leaseDuration(Duration.ofSeconds(60)));

            assertThat(lock.leads()).isTrue();
            assertThat(failures(lock)).isEqualTo(1);
        }

        /** The watch may be faster than the answer. */
        @ParameterizedTest
        @EnumSource(Policy.class)
        void aCandidateWhoseWriteIsChangedDoesNotLeadByWhatTheWatchShows(Policy policy) {
            LockDriver lock = LockDriver.coordinated("a").grant("a");

            Lease written = lock.writing();
            lock.write(unused -> policy.apply(written.toBuilder()));

            assertThat(lock.leads()).isFalse();
        }
    }

    @Nested
    class OfALeader {

        @ParameterizedTest
        @EnumSource(
                value = Policy.class,
                names = {"DROPS_ANNOTATIONS", "NAMES_ANOTHER_HOLDER"})
        void aLeaderWhoseWriteIsChangedEndsItsTerm(Policy policy) {
            LockDriver lock = LockDriver.coordinated("a").leading().serve(Duration.ofSeconds(5));

            lock.serveChangedBy(policy::apply, Duration.ofSeconds(3));

            assertThat(lock.leads()).isFalse();
            assertThat(lock.actions(Action.Revoke.class))
                    .extracting(Action.Revoke::reason)
                    .containsExactly(RevokeReason.LEASE_LOST);
        }

        @ParameterizedTest
        @EnumSource(
                value = Policy.class,
                names = {"SHORTENS", "DROPS_RENEW_TIME"})
        void aLeaderWhoseWriteIsChangedDoesNotRenewIt(Policy policy) {
            LockDriver lock = LockDriver.coordinated("a").leading().serve(Duration.ofSeconds(5));

            lock.serveChangedBy(policy::apply, Duration.ofSeconds(12));

            assertThat(lock.leads()).isFalse();
            assertThat(lock.actions(Action.Revoke.class))
                    .extracting(Action.Revoke::reason)
                    .containsExactly(RevokeReason.RENEW_DEADLINE);
        }

        @Test
        void aLeaderThatHasStoppedIsSettledAllTheSame() {
            LockDriver lock = LockDriver.coordinated("a").leading().stop().drained();

            lock.serveChangedBy(Policy.DROPS_ANNOTATIONS::apply, Duration.ofSeconds(1));

            assertThat(lock.state().settled()).isTrue();
        }
    }
}
