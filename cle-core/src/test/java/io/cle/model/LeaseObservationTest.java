package io.cle.model;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From when on nobody can lead by a lease any more, and from when on who is named may begin. Times are whole seconds: {@code at(7)} is
 * seven seconds on the observer's monotonic clock; the clocks of those who write are on other days altogether.
 */
class LeaseObservationTest {

    private static final ObjectKey KEY = new ObjectKey("shop", "orders");
    private static final Duration DURATION = Duration.ofSeconds(15);

    // ---- who writes ----------------------------------------------------------------------------------------------

    /** One of ours leads: it has acquired the lease at a second of its own clock, and renewed it at another. */
    private static Lease ours(String holder, int acquired, int renewed) {
        return record(holder, acquired, renewed)
                .term(TermMark.begun(holder, "n1", time(acquired), DURATION))
                .electedBy("coordinated-election-controller")
                .build();
    }

    /** Our coordinator, or a holder of ours that hands over, has named a holder. */
    private static Lease grant(String holder, int granted) {
        return record(holder, granted, granted)
                .leaseDuration(Duration.ofSeconds(5))
                .term(TermMark.granted(holder, time(granted)))
                .electedBy("coordinated-election-controller")
                .build();
    }

    /** One of ours has released the lease. */
    private static Lease released(int time) {
        return record(null, time, time).leaseDuration(Duration.ofSeconds(1)).build();
    }

    /** client-go takes or renews a lease: it changes the fields that it knows, and leaves the annotations as they are. */
    private static Lease plain(Lease before, String holder, int acquired, int renewed) {
        return before.toBuilder()
                .holder(holder)
                .leaseDuration(DURATION)
                .acquireTime(time(acquired))
                .renewTime(time(renewed))
                .build();
    }

    private static Lease plain(String holder, int acquired, int renewed) {
        return plain(record(null, 0, 0).build(), holder, acquired, renewed);
    }

    /** client-go releases a lease. */
    private static Lease plainRelease(Lease before, int time) {
        return plain(before, "", time, time).toBuilder()
                .leaseDuration(Duration.ofSeconds(1))
                .build();
    }

    /** kube-apiserver grants a lease: it names the holder, takes the acquire time away and leaves the annotations as they are. */
    private static Lease kubeApiserverGrant(Lease before, String holder, int time) {
        return before.toBuilder()
                .holder(holder)
                .leaseDuration(Duration.ofSeconds(5))
                .acquireTime(null)
                .renewTime(time(time))
                .build();
    }

    /** An administrator edits the holder and nothing else. */
    private static Lease edit(Lease before, String holder) {
        return before.toBuilder().holder(holder).build();
    }

    private static Lease.Builder record(String holder, int acquired, int renewed) {
        return Lease.builder(KEY)
                .holder(holder)
                .leaseDuration(DURATION)
                .acquireTime(time(acquired))
                .renewTime(time(renewed));
    }

    private static Instant time(int second) {
        return Instant.EPOCH.plusSeconds(second);
    }

    private static Moment at(int second) {
        return new Moment(Duration.ofSeconds(second).toNanos(), Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** What a standby knows that has seen a record at second 0, and then, as the next event of its watch, others. */
    private static LeaseObservation known(Lease lease) {
        return LeaseObservation.first(lease, at(0));
    }

    private static void assertHeldUntil(LeaseObservation observation, int second) {
        assertThat(Duration.ofNanos(observation.heldUntil())).as("held until").isEqualTo(Duration.ofSeconds(second));
    }

    private static void assertClaimableAt(LeaseObservation observation, int second) {
        assertThat(Duration.ofNanos(observation.claimableAt()))
                .as("claimable at")
                .isEqualTo(Duration.ofSeconds(second));
    }

    @Nested
    class FirstSight {

        @Test
        void aLeaseThatIsNotThereIsFree() {
            assertThat(LeaseObservation.first(null, at(3)).free(at(3))).isTrue();
        }

        @Test
        void aLeaseWithoutHolderIsFree() {
            assertThat(known(released(0)).free(at(0))).isTrue();
        }

        @Test
        void aHeldLeaseIsHeldForItsOwnDurationFromTheSightAndNotFromItsRenewTime() {
            LeaseObservation observation = LeaseObservation.first(ours("a", -5000, -4000), at(3));

            assertHeldUntil(observation, 18);
            assertThat(observation.free(at(17))).isFalse();
            assertThat(observation.free(at(18))).isTrue();
        }

        @Test
        void aTermThatRunsCanBeBegunByNobodyBeforeItHasRunOut() {
            assertClaimableAt(known(ours("a", 0, 0)), 15);
        }

        @Test
        void aGrantCanBeBegunAtOnce() {
            assertClaimableAt(LeaseObservation.first(grant("b", 0), at(3)), 3);
        }

        @Test
        void aRecordThatWasEmptiedByHandMayStillBeLedBy() {
            assertHeldUntil(known(edit(ours("a", 0, 0), "")), 15);
        }

        @Test
        void aHolderNamedByHandWaitsForTheOneWhoseMarkStillStandsThere() {
            assertClaimableAt(known(edit(ours("a", 0, 0), "b")), 15);
        }
    }

    @Nested
    class AmongThoseWhoKeepTheRules {

        @Test
        void aRenewalLengthensTheTermFromWhenItWasSeen() {
            LeaseObservation observation = known(ours("a", 0, 0)).seen(ours("a", 0, 3), at(4), true);

            assertHeldUntil(observation, 19);
            assertThat(observation.seenAt()).isEqualTo(at(4).nanos());
        }

        @Test
        void theSameRecordSeenAgainLengthensNothing() {
            Lease lease = ours("a", 0, 0);
            LeaseObservation observation = known(lease).seen(lease, at(9), true).seen(lease, at(10), false);

            assertHeldUntil(observation, 15);
            assertThat(observation.age(at(10))).isEqualTo(Duration.ofSeconds(10));
        }

        @Test
        void aTimeThatIsWrittenTwiceMayBeOfARenewalThatWasNotSeen() {
            Lease renewed = ours("a", 0, 3).toBuilder().resourceVersion("7").build();
            Lease renewedAgainByAClockThatWasSetBack =
                    renewed.toBuilder().resourceVersion("11").build();

            assertHeldUntil(known(renewed).seen(renewedAgainByAClockThatWasSetBack, at(12), false), 27);
            assertHeldUntil(known(renewed).seen(renewedAgainByAClockThatWasSetBack, at(12), true), 15);
        }

        @Test
        void aChangeOfAnythingElseLengthensNothing() {
            Lease marked = ours("a", 0, 0).toBuilder().endOfTerm("b", null).build();
            LeaseObservation observation = known(ours("a", 0, 0)).seen(marked, at(9), true);

            assertHeldUntil(observation, 15);
            assertThat(observation.lease()).isEqualTo(marked);
        }

        @Test
        void aReleasedLeaseIsFreeAtOnce() {
            assertThat(known(ours("a", 0, 0)).seen(released(4), at(4), true).free(at(4)))
                    .isTrue();
        }

        @Test
        void aLeaseFoundReleasedAfterAGapIsFreeAtOnce() {
            assertThat(known(ours("a", 0, 0)).seen(released(4), at(4), false).free(at(4)))
                    .isTrue();
        }

        @Test
        void aHandOverCanBeBegunAtOnceAndExpiresAsItSays() {
            LeaseObservation observation = known(ours("a", 0, 3)).seen(grant("b", 4), at(4), true);

            assertClaimableAt(observation, 4);
            assertHeldUntil(observation, 9);
        }

        @Test
        void aGrantThatWasMissedInAGapCanBeBegunAtOnce() {
            assertClaimableAt(known(ours("a", 0, 3)).seen(grant("b", 4), at(20), false), 20);
        }

        @Test
        void aGrantWhoseHolderHasBegunIsGrantedNoMore() {
            LeaseObservation granted = known(released(0)).seen(grant("b", 4), at(4), true);
            LeaseObservation begun = granted.seen(ours("b", 5, 5), at(5), true);

            assertThat(granted.lease().granted()).isTrue();
            assertThat(begun.lease().granted()).isFalse();
            assertClaimableAt(begun, 20);
        }

        @Test
        void aTwinOfTheHolderHasToWaitLikeAnybodyElse() {
            LeaseObservation observation = known(released(0)).seen(ours("a", 2, 2), at(2), true);

            assertClaimableAt(observation, 17);
            assertClaimableAt(observation.seen(ours("a", 2, 5), at(5), true), 20);
        }

        @Test
        void aTermNeverShortensTheOneBeforeThatWasNotSeenToEnd() {
            Lease longer = ours("a", 0, 0).toBuilder()
                    .leaseDuration(Duration.ofSeconds(60))
                    .build();

            assertHeldUntil(known(longer).seen(ours("b", 5, 5), at(5), true), 60);
        }
    }

    @Nested
    class Deletion {

        @Test
        void ofAHeldLeaseLeavesItsHolderTheTimeThatItHad() {
            LeaseObservation observation = known(ours("a", 0, 0)).seen(null, at(4), true);

            assertHeldUntil(observation, 15);
            assertThat(observation.lease()).isNull();
        }

        @Test
        void thatWasFoundAfterAGapLeavesTheHolderARenewalThatWasNotSeen() {
            assertHeldUntil(known(ours("a", 0, 0)).seen(null, at(14), false), 29);
        }

        @Test
        void ofAFreeLeaseLeavesItFree() {
            assertThat(known(released(0)).seen(null, at(4), true).free(at(4))).isTrue();
        }

        @Test
        void isNotForgottenWhenItIsFoundAgain() {
            assertHeldUntil(known(ours("a", 0, 0)).seen(null, at(4), true).seen(null, at(6), false), 15);
        }

        @Test
        void isNotForgottenWhenTheLeaseIsCreatedAnewByOneWhoKnowsNothing() {
            LeaseObservation deleted = known(ours("a", 0, 0)).seen(null, at(4), true);

            assertHeldUntil(deleted.seen(released(5), at(5), true), 15);
            assertClaimableAt(deleted.seen(plain("b", 5, 5), at(5), true), 15);
            assertHeldUntil(deleted.seen(plain("b", 5, 5), at(5), true), 20);
        }
    }

    @Nested
    class Grants {

        private final Lease grant = grant("b", 5).toBuilder().uid("new").build();

        @Test
        void ofALeaseThatWasCreatedAnewWaitForTheTermByTheOldOne() {
            Lease old = ours("a", 0, 0).toBuilder().uid("old").build();

            assertClaimableAt(known(old).seen(null, at(4), true).seen(grant, at(5), true), 15);
            assertClaimableAt(known(old).seen(grant, at(5), false), 20);
        }

        @Test
        void byOneWhoCreatedTheLeaseAnewAndKnewNothingWaitForTheTermByTheOldOneToo() {
            LeaseObservation deleted = known(ours("a", 0, 0)).seen(null, at(4), true);
            Lease created = ours("c", 5, 5).toBuilder()
                    .leaseDuration(Duration.ofSeconds(3))
                    .build();

            assertClaimableAt(deleted.seen(created, at(5), true).seen(grant("b", 6), at(6), true), 15);
            assertHeldUntil(deleted.seen(created, at(5), true).seen(released(6), at(6), true), 15);
        }

        @Test
        void ofALeaseThatWasCreatedAnewCanBeBegunAtOnceWhereNobodyLeads() {
            Lease old = released(0).toBuilder().uid("old").build();

            assertClaimableAt(known(old).seen(null, at(4), true).seen(grant, at(5), true), 5);
        }

        @Test
        void ofTheSameLeaseCanBeBegunAtOnce() {
            Lease same = ours("a", 0, 0).toBuilder().uid("new").build();

            assertClaimableAt(known(same).seen(grant, at(5), false), 5);
        }
    }

    @Nested
    class PlainHolders {

        private final Lease oursBefore = ours("a", 0, 0);
        private final Lease taken = plain(oursBefore, "plain", 16, 16);

        @Test
        void oneThatTookTheLeaseFromOursIsNeitherGrantedNorConfirmed() {
            assertThat(taken.confirmed()).isFalse();
            assertThat(taken.granted()).isFalse();
        }

        @Test
        void oneThatTookTheLeaseIsWaitedOut() {
            LeaseObservation observation = known(oursBefore).seen(taken, at(16), true);

            assertHeldUntil(observation, 31);
        }

        @Test
        void oneThatTookAGrantThatNobodyHadBegunIsWaitedOut() {
            Lease fromGrant = plain(grant("dead", 0), "plain", 6, 6);

            LeaseObservation observation = known(grant("dead", 0)).seen(fromGrant, at(6), true);

            assertThat(fromGrant.granted()).isFalse();
            assertHeldUntil(observation, 21);
        }

        @Test
        void oneThatRenewsIsWaitedOutFromItsLastRenewal() {
            LeaseObservation observation = known(taken).seen(plain(taken, "plain", 16, 26), at(26), true);

            assertHeldUntil(observation, 41);
            assertClaimableAt(observation, 41);
        }

        @Test
        void oneThatRenewsAGrantOfOursWithoutAMarkIsLeadingByIt() {
            Lease granted = grant("goclient", 0);
            Lease renewed = granted.toBuilder().renewTime(time(1)).build();

            assertThat(renewed.granted()).isFalse();
            assertClaimableAt(known(granted).seen(renewed, at(1), true), 6);
        }

        @Test
        void aReleaseFreesTheLeaseAtOnceThoughAnOlderMarkStandsOnIt() {
            LeaseObservation held = known(oursBefore).seen(taken, at(16), true);

            assertThat(held.seen(plainRelease(taken, 20), at(20), true).free(at(20)))
                    .isTrue();
        }

        @Test
        void aReleaseFreesTheLeaseAtOnceWhereThereIsNoMark() {
            Lease lease = plain("plain", 0, 0);

            assertThat(known(lease).seen(plainRelease(lease, 4), at(4), true).free(at(4)))
                    .isTrue();
        }

        @Test
        void oneThatTookTheLeaseWhoseHolderIsNamedAgainWithItsOldMarkIsStillWaitedOut() {
            LeaseObservation plainLeads = known(oursBefore).seen(taken, at(16), true);

            LeaseObservation renamed = plainLeads.seen(kubeApiserverGrant(taken, "a", 19), at(19), true);

            assertThat(renamed.lease().confirmed()).isFalse();
            assertClaimableAt(renamed, 31);
            assertHeldUntil(renamed, 31);
        }
    }

    @Nested
    class KubeApiserver {

        @Test
        void aGrantOfALeaseWhoseTermWasNeverSeenWaitsAsLongAsItsMarkSays() {
            Lease granted = kubeApiserverGrant(ours("a", 2, 2), "b", 4);

            assertClaimableAt(known(released(0)).seen(granted, at(5), false), 20);
            assertClaimableAt(LeaseObservation.first(granted, at(5)), 20);
        }

        @Test
        void grantsForFiveSecondsAndThatCanBeBegunAtOnce() {
            assertClaimableAt(known(kubeApiserverGrant(record(null, 0, 0).build(), "a", 0)), 0);
        }

        @Test
        void aGrantOfALeaseThatWasMissingCanBeBegunAtOnce() {
            LeaseObservation missing = LeaseObservation.first(null, at(0));
            Lease created = kubeApiserverGrant(record(null, 0, 0).build(), "b", 3);

            assertClaimableAt(missing.seen(created, at(3), true), 0);
        }

        @Test
        void aGrantOfAReleasedLeaseCanBeBegunAtOnce() {
            LeaseObservation free = known(ours("a", 0, 0)).seen(released(2), at(2), true);

            assertClaimableAt(free.seen(kubeApiserverGrant(released(2), "b", 3), at(3), true), 2);
        }

        @Test
        void aGrantByItsOwnClockWaitsForTheHolderBefore() {
            LeaseObservation observation =
                    known(ours("a", 0, 0)).seen(kubeApiserverGrant(ours("a", 0, 0), "b", 3), at(3), true);

            assertClaimableAt(observation, 15);
            assertHeldUntil(observation, 15);
        }

        @Test
        void aGrantByItsOwnClockWaitsForAPlainHolderBefore() {
            Lease held =
                    plain("plain", 0, 0).toBuilder().electedBy("kube-apiserver").build();

            LeaseObservation observation = known(held).seen(kubeApiserverGrant(held, "b", 3), at(3), true);

            assertClaimableAt(observation, 15);
            assertHeldUntil(observation, 15);
        }

        @Test
        void aGrantSeenAfterAGapWaitsForARenewalThatWasNotSeen() {
            LeaseObservation observation =
                    known(ours("a", 0, 0)).seen(kubeApiserverGrant(ours("a", 0, 9), "b", 14), at(14), false);

            assertClaimableAt(observation, 29);
        }

        @Test
        void aGrantSeenAgainIsNotPutOff() {
            Lease grant = kubeApiserverGrant(ours("a", 0, 0), "b", 3);
            LeaseObservation observation = known(ours("a", 0, 0)).seen(grant, at(3), true);

            assertClaimableAt(observation.seen(grant, at(6), false), 15);
        }
    }

    @Nested
    class AnAdministrator {

        @Test
        void whoEmptiesAHeldLeaseTakesNothingFromItsHolder() {
            assertHeldUntil(known(ours("a", 0, 0)).seen(edit(ours("a", 0, 0), ""), at(4), true), 15);
        }

        @Test
        void whoEmptiesALeaseHeldByAPlainHolderTakesNothingFromIt() {
            Lease held = plain("plain", 0, 0);

            assertHeldUntil(known(held).seen(edit(held, ""), at(4), true), 15);
        }

        @Test
        void whoEmptiesALeaseAndThenStripsItsMarkTakesNothingFromItsHolder() {
            Lease empty = edit(ours("a", 0, 0), "");
            LeaseObservation observation = known(ours("a", 0, 0))
                    .seen(empty, at(4), true)
                    .seen(empty.toBuilder().term(null).build(), at(5), true);

            assertHeldUntil(observation, 15);
        }

        @Test
        void whoEmptiesALeaseAndStripsItsMarkInAGapTakesNothingFromAHolderThatHasRenewedUnseen() {
            Lease empty = record("", 0, 9).build();

            assertHeldUntil(known(ours("a", 0, 0)).seen(empty, at(12), false), 27);
        }

        @Test
        void whoEmptiesALeaseInAGapTakesNothingFromAHolderWhoMayHaveWrittenTheSameSecondTwice() {
            Lease seen = ours("a", 0, 0).toBuilder().resourceVersion("5").build();
            Lease empty =
                    edit(ours("a", 0, 0), "").toBuilder().resourceVersion("9").build();

            assertHeldUntil(known(seen).seen(empty, at(12), false), 27);
            assertHeldUntil(known(seen).seen(empty, at(12), true), 15);
        }

        @Test
        void whoEmptiesALeaseInAGapTakesNothingFromAHolderWhoseMarkWasNeverSeen() {
            Lease empty = edit(ours("b", 8, 9), "");

            assertHeldUntil(known(plain("plain", 0, 0)).seen(empty, at(12), false), 27);
        }

        @Test
        void whoEmptiesALeaseInAGapTakesNothingFromAHolderWhoHasTakenItInThatGap() {
            Lease empty = edit(ours("b", 8, 9), "");

            assertHeldUntil(known(released(0)).seen(empty, at(12), false), 27);
            assertHeldUntil(LeaseObservation.first(null, at(0)).seen(empty, at(12), false), 27);
        }

        @Test
        void whoNamesAnotherHolderInAGapTakesNothingFromOneWhoHasTakenTheLeaseInThatGap() {
            LeaseObservation observation = known(released(0)).seen(edit(ours("b", 8, 9), "c"), at(12), false);

            assertClaimableAt(observation, 27);
        }

        @Test
        void whoEmptiesALeaseAgainAfterAnotherTermInAGapTakesNothingFromThatTerm() {
            LeaseObservation observation = known(ours("a", 0, 0))
                    .seen(edit(ours("a", 0, 0), ""), at(4), true)
                    .seen(edit(ours("a", 16, 16), ""), at(20), false);

            assertHeldUntil(observation, 35);
        }

        @Test
        void whoNamesAnotherHolderTakesNothingFromTheOneBefore() {
            LeaseObservation observation = known(ours("a", 0, 0)).seen(edit(ours("a", 0, 0), "b"), at(4), true);

            assertClaimableAt(observation, 15);
            assertHeldUntil(observation, 19);
        }

        @Test
        void whoNamesAnotherHolderTakesNothingFromAPlainOneBefore() {
            Lease held = plain("plain", 0, 0);

            assertClaimableAt(known(held).seen(edit(held, "b"), at(4), true), 15);
        }

        @Test
        void whoStripsTheMarkTakesNothingFromAHolderThatIsSeenForTheFirstTime() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertClaimableAt(known(stripped), 15);
        }

        @Test
        void whoStripsTheMarkOfAHolderTakesNothingFromIt() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertClaimableAt(known(ours("a", 0, 0)).seen(stripped, at(4), true), 19);
        }
    }
}
