package io.cle.model;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.model.ObservedLeases.DURATION;
import static io.cle.model.ObservedLeases.assertAcquirableAt;
import static io.cle.model.ObservedLeases.assertLeaseExpiry;
import static io.cle.model.ObservedLeases.at;
import static io.cle.model.ObservedLeases.edit;
import static io.cle.model.ObservedLeases.grant;
import static io.cle.model.ObservedLeases.known;
import static io.cle.model.ObservedLeases.ours;
import static io.cle.model.ObservedLeases.plain;
import static io.cle.model.ObservedLeases.record;
import static io.cle.model.ObservedLeases.released;
import static io.cle.model.ObservedLeases.time;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * From when on no process can lead by a lease any more, and from when on the named one may begin. Times are whole seconds: {@code at(7)} is
 * seven seconds on the observer's monotonic clock; the clocks of those who write are on other days altogether.
 */
class LeaseObservationTest {

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

            assertLeaseExpiry(observation, 18);
            assertThat(observation.free(at(17))).isFalse();
            assertThat(observation.free(at(18))).isTrue();
        }

        @Test
        void noOtherTermCanBeginBeforeARunningOneHasRunOut() {
            assertAcquirableAt(known(ours("a", 0, 0)), 15);
        }

        @Test
        void aGrantCanBeBegunAtOnce() {
            assertAcquirableAt(LeaseObservation.first(grant("b", 0), at(3)), 3);
        }

        @Test
        void aRecordThatWasEmptiedByHandMayStillBeLedBy() {
            assertLeaseExpiry(known(edit(ours("a", 0, 0), "")), 15);
        }

        @Test
        void aHolderNamedByHandWaitsForTheOneWhoseTermAnnotationIsStillThere() {
            assertAcquirableAt(known(edit(ours("a", 0, 0), "b")), 15);
        }
    }

    @Nested
    class AmongThoseWhoKeepTheRules {

        @Test
        void aRenewalExtendsTheTermFromWhenItWasSeen() {
            LeaseObservation observation = known(ours("a", 0, 0)).seen(ours("a", 0, 3), at(4), true);

            assertLeaseExpiry(observation, 19);
            assertThat(observation.seenAt()).isEqualTo(at(4).nanos());
        }

        @Test
        void theSameRecordSeenAgainExtendsNothing() {
            Lease lease = ours("a", 0, 0);
            LeaseObservation observation = known(lease).seen(lease, at(9), true).seen(lease, at(10), false);

            assertLeaseExpiry(observation, 15);
            assertThat(observation.seenAt()).isEqualTo(at(0).nanos());
        }

        @Test
        void aTimeThatIsWrittenTwiceMayBeOfARenewalThatWasNotSeen() {
            Lease renewed = ours("a", 0, 3).toBuilder().resourceVersion("7").build();
            Lease renewedAgainByAClockThatWasSetBack =
                    renewed.toBuilder().resourceVersion("11").build();

            assertLeaseExpiry(known(renewed).seen(renewedAgainByAClockThatWasSetBack, at(12), false), 27);
            assertLeaseExpiry(known(renewed).seen(renewedAgainByAClockThatWasSetBack, at(12), true), 15);
        }

        @Test
        void aChangeOfAnythingElseExtendsNothing() {
            Lease asked = ours("a", 0, 0).toBuilder().endOfTerm("b", null).build();
            LeaseObservation observation = known(ours("a", 0, 0)).seen(asked, at(9), true);

            assertLeaseExpiry(observation, 15);
            assertThat(observation.lease()).isEqualTo(asked);
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

            assertAcquirableAt(observation, 4);
            assertLeaseExpiry(observation, 9);
        }

        @Test
        void aGrantThatWasMissedInAGapCanBeBegunAtOnce() {
            assertAcquirableAt(known(ours("a", 0, 3)).seen(grant("b", 4), at(20), false), 20);
        }

        @Test
        void aGrantThatHasBegunIsNotReplaced() {
            LeaseObservation granted = known(released(0)).seen(grant("b", 4), at(4), true);
            LeaseObservation begun = granted.seen(ours("b", 5, 5), at(5), true);

            assertThat(granted.lease().granted()).isTrue();
            assertThat(begun.lease().granted()).isFalse();
            assertAcquirableAt(begun, 20);
        }

        @Test
        void aTwinOfTheHolderHasToWaitLikeAnyOtherCandidate() {
            LeaseObservation observation = known(released(0)).seen(ours("a", 2, 2), at(2), true);

            assertAcquirableAt(observation, 17);
            assertAcquirableAt(observation.seen(ours("a", 2, 5), at(5), true), 20);
        }

        @Test
        void aTermNeverShortensTheOneBeforeThatWasNotSeenToEnd() {
            Duration minute = Duration.ofSeconds(60);
            Lease longer = ours("a", 0, 0).toBuilder()
                    .leaseDuration(minute)
                    .term(TermAnnotation.begun("a", "n1", time(0), minute))
                    .build();

            assertLeaseExpiry(known(longer).seen(ours("b", 5, 5), at(5), true), 60);
        }
    }

    @Nested
    class Deletion {

        @Test
        void ofAHeldLeaseLeavesItsHolderTheTimeThatItHad() {
            LeaseObservation observation = known(ours("a", 0, 0)).seen(null, at(4), true);

            assertLeaseExpiry(observation, 15);
            assertThat(observation.lease()).isNull();
        }

        @Test
        void thatWasFoundAfterAGapLeavesTheHolderARenewalThatWasNotSeen() {
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(null, at(14), false), 29);
        }

        @Test
        void ofAFreeLeaseLeavesItFree() {
            assertThat(known(released(0)).seen(null, at(4), true).free(at(4))).isTrue();
        }

        @Test
        void isNotForgottenWhenItIsFoundAgain() {
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(null, at(4), true).seen(null, at(6), false), 15);
        }

        @Test
        void isNotForgottenWhenTheLeaseIsCreatedAnewByOneWhoKnowsNothing() {
            LeaseObservation deleted = known(ours("a", 0, 0)).seen(null, at(4), true);

            assertLeaseExpiry(deleted.seen(released(5), at(5), true), 15);
            assertAcquirableAt(deleted.seen(plain("b", 5, 5), at(5), true), 15);
            assertLeaseExpiry(deleted.seen(plain("b", 5, 5), at(5), true), 20);
        }
    }

    @Nested
    class Grants {

        private final Lease grant = grant("b", 5).toBuilder().uid("new").build();

        @Test
        void ofALeaseThatWasCreatedAnewWaitForTheTermByTheOldOne() {
            Lease old = ours("a", 0, 0).toBuilder().uid("old").build();

            assertAcquirableAt(known(old).seen(null, at(4), true).seen(grant, at(5), true), 15);
            assertAcquirableAt(known(old).seen(grant, at(5), false), 20);
        }

        @Test
        void byOneWhoCreatedTheLeaseAnewAndKnewNothingWaitForTheTermByTheOldOneToo() {
            LeaseObservation deleted = known(ours("a", 0, 0)).seen(null, at(4), true);
            Lease created = ours("c", 5, 5).toBuilder()
                    .leaseDuration(Duration.ofSeconds(3))
                    .build();

            assertAcquirableAt(deleted.seen(created, at(5), true).seen(grant("b", 6), at(6), true), 15);
            assertLeaseExpiry(deleted.seen(created, at(5), true).seen(released(6), at(6), true), 15);
        }

        @Test
        void ofALeaseThatWasCreatedAnewCanBeBegunAtOnceIfNoTermRuns() {
            Lease old = released(0).toBuilder().uid("old").build();

            assertAcquirableAt(known(old).seen(null, at(4), true).seen(grant, at(5), true), 5);
        }

        @Test
        void ofTheSameLeaseCanBeBegunAtOnce() {
            Lease same = ours("a", 0, 0).toBuilder().uid("new").build();

            assertAcquirableAt(known(same).seen(grant, at(5), false), 5);
        }
    }

    @Nested
    class ShortenedByAnEdit {

        private final Lease shortened = shortened(ours("a", 0, 0));

        private static Lease shortened(Lease lease) {
            return lease.toBuilder().leaseDuration(Duration.ofSeconds(1)).build();
        }

        @Test
        void aLeaseThatIsSeenForTheFirstTimeExpiresByTheDurationOfItsTerm() {
            assertLeaseExpiry(known(shortened), 15);
            assertAcquirableAt(known(shortened), 15);
        }

        @Test
        void anUnseenRenewalCountsByTheDurationOfItsTerm() {
            LeaseObservation seen = known(ours("a", 0, 0)).seen(shortened(ours("a", 0, 10)), at(12), false);

            assertLeaseExpiry(seen, 27);
        }

        @Test
        void anUnseenRenewalBeforeADeletionCountsByTheDurationOfItsTerm() {
            assertLeaseExpiry(known(shortened).seen(null, at(4), false), 19);
        }

        @Test
        void aGrantStillExpiresByItsOwnDuration() {
            assertLeaseExpiry(known(shortened(grant("a", 0))), 1);
        }
    }

    @Nested
    class LengthenedByAnEdit {

        private static Lease lengthened(Lease lease) {
            return lease.toBuilder().leaseDuration(Duration.ofHours(1)).build();
        }

        @Test
        void aTermStillRunsOutByTheDurationThatItsHolderWrote() {
            LeaseObservation edited = known(ours("a", 0, 0)).seen(lengthened(ours("a", 0, 0)), at(2), true);

            assertLeaseExpiry(edited, 15);
            assertLeaseExpiry(edited.seen(ours("a", 0, 3), at(3), true), 18);
        }

        @Test
        void aTermOfAPlainHolderStillRunsOutByTheDurationThatItWrote() {
            LeaseObservation edited = known(plain("a", 0, 0)).seen(lengthened(plain("a", 0, 0)), at(2), true);

            assertLeaseExpiry(edited, 15);
            assertLeaseExpiry(edited.seen(plain("a", 0, 3), at(3), true), 18);
        }

        @Test
        void aTermThatIsFirstSeenSoRunsOutByTheDurationOfItsTermAnnotation() {
            LeaseObservation edited = known(lengthened(ours("a", 0, 0)));

            assertLeaseExpiry(edited, 15);
            assertLeaseExpiry(edited.seen(ours("a", 0, 3), at(3), true), 18);
        }

        @Test
        void aRenewalThatIsLongerIsWaitedOut() {
            assertLeaseExpiry(known(plain("a", 0, 0)).seen(lengthened(plain("a", 0, 2)), at(2), true), 3602);
        }
    }

    @Nested
    class Preemptions {

        private final Lease preemption = preempting("b", 5, 10);

        @Test
        void leaveTheHolderBeforeTheTimeThatItHas() {
            LeaseObservation seen = known(ours("a", 0, 0)).seen(preemption, at(5), true);

            assertThat(seen.termEnd()).isEqualTo(at(15).nanos());
            assertLeaseExpiry(seen, 30);
        }

        @Test
        void leaveTheHolderBeforeNoMoreTimeThanTheProcessThatPreemptsItWaits() {
            LeaseObservation holder = known(ours("a", 0, 0));

            assertThat(holder.seen(preempting("b", 5, 7), at(5), true).termEnd())
                    .isEqualTo(at(12).nanos());
            assertThat(holder.seen(preempting("b", 5, 13), at(5), true).termEnd())
                    .isEqualTo(at(15).nanos());
        }

        @Test
        void carryTheirOwnDurationForAProcessThatHasSeenNothingBefore() {
            LeaseObservation unseen = known(plain("c", 0, 0)).seen(preemption, at(5), false);

            assertThat(LeaseObservation.first(preemption, at(5)).termEnd()).isEqualTo(at(15).nanos());
            assertThat(unseen.termEnd()).isEqualTo(at(15).nanos());
        }

        @Test
        void leaveAHolderThatWasPreemptedEarlierNoMoreTime() {
            LeaseObservation first = known(ours("a", 0, 0)).seen(preemption, at(5), true);

            LeaseObservation second = first.seen(preempting("c", 8, 7), at(8), true);

            assertThat(second.termEnd()).isEqualTo(at(15).nanos());
        }

        @Test
        void leaveTheEarlierHolderItsTimeAlsoWhenAnotherOrNoHolderIsNamed() {
            LeaseObservation first = known(ours("a", 0, 0)).seen(preemption, at(5), true);

            LeaseObservation named = first.seen(edit(preemption, "ghost"), at(6), true);
            LeaseObservation begun = named.seen(plain(preemption, "ghost", 5, 7), at(7), true);
            LeaseObservation emptied = first.seen(edit(preemption, ""), at(6), true);

            assertThat(named.termEnd()).isEqualTo(at(15).nanos());
            assertThat(begun.termEnd()).isEqualTo(at(22).nanos());
            assertLeaseExpiry(emptied, 15);
            assertLeaseExpiry(first.seen(null, at(6), true), 15);
        }

        @Test
        void areOverWithTheTermThatFollows() {
            LeaseObservation begun = known(preemption).seen(ours("b", 15, 15), at(15), true);

            assertThat(begun.termEnd()).isEqualTo(begun.leaseExpiry());
        }

        private Lease preempting(String by, int at, int formerTerm) {
            return ours(by, at, at).toBuilder()
                    .leaseDuration(DURATION.plusSeconds(formerTerm))
                    .term(TermAnnotation.preempting(by, "n2", time(at), Duration.ofSeconds(formerTerm)))
                    .build();
        }
    }

    /** safety.md#new-history. */
    @Nested
    class InANewHistory {

        private static final Duration OWN_CONFIGURATION = Duration.ofSeconds(15);

        private LeaseObservation begins(@Nullable LeaseObservation former, int second) {
            return LeaseObservation.ofUnseenTerm(former, at(second), OWN_CONFIGURATION);
        }

        @Test
        void aTermOfTheFormerOneIsWaitedOutForAsLongAsItsRecordSaid() {
            Lease longer =
                    record("a", 0, 0).leaseDuration(Duration.ofSeconds(60)).build();

            assertLeaseExpiry(begins(known(longer), 10), 70);
        }

        @Test
        void aTermOfTheFormerOneIsWaitedOutForAsLongAsThisProcessIsConfigured() {
            Lease shorter =
                    record("a", 0, 0).leaseDuration(Duration.ofSeconds(5)).build();

            assertLeaseExpiry(begins(known(shorter), 10), 25);
        }

        @Test
        void theTermBeforeADeletionIsWaitedOutToo() {
            Lease longer =
                    record("a", 0, 0).leaseDuration(Duration.ofSeconds(60)).build();
            LeaseObservation deleted = known(longer).seen(null, at(1), true);

            assertLeaseExpiry(begins(deleted, 10), 60);
        }

        @Test
        void aProcessThatHasSeenNothingWaitsForAsLongAsItIsConfigured() {
            assertLeaseExpiry(begins(null, 10), 25);
            assertLeaseExpiry(begins(LeaseObservation.first(null, at(0)), 10), 25);
        }
    }
}
