package io.cle.model.internal;

import java.time.Duration;

import io.cle.model.internal.ObservedLeases.Sight;
import io.cle.model.internal.TermAnnotation.Ended;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.model.internal.ObservedLeases.DURATION;
import static io.cle.model.internal.ObservedLeases.assertAcquirableAt;
import static io.cle.model.internal.ObservedLeases.assertLeaseExpiry;
import static io.cle.model.internal.ObservedLeases.at;
import static io.cle.model.internal.ObservedLeases.edit;
import static io.cle.model.internal.ObservedLeases.grant;
import static io.cle.model.internal.ObservedLeases.known;
import static io.cle.model.internal.ObservedLeases.ours;
import static io.cle.model.internal.ObservedLeases.plain;
import static io.cle.model.internal.ObservedLeases.record;
import static io.cle.model.internal.ObservedLeases.released;
import static io.cle.model.internal.ObservedLeases.time;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The instants from which no process can be the leader any more, and from which the named one may begin. Times are
 * whole seconds: {@code at(7)} is seven seconds on the observer's monotonic clock; the writers' clocks are on other days.
 */
class LeaseObservationTest {

    @Nested
    class FirstSight {

        @Test
        void aLeaseThatIsNotThereIsFree() {
            assertThat(Sight.first(null, at(3)).free(at(3))).isTrue();
        }

        @Test
        void aLeaseWithoutHolderIsFree() {
            assertThat(known(released(0)).free(at(0))).isTrue();
        }

        @Test
        void aHeldLeaseIsHeldForItsOwnDurationFromTheSightAndNotFromItsRenewTime() {
            Sight observation = Sight.first(ours("a", -5000, -4000), at(3));

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
            assertAcquirableAt(Sight.first(grant("b", 0), at(3)), 3);
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
            Sight observation = known(ours("a", 0, 0)).seen(ours("a", 0, 3), at(4), true);

            assertLeaseExpiry(observation, 19);
            assertThat(observation.seenAt()).isEqualTo(at(4).nanos());
        }

        @Test
        void theSameRecordSeenAgainExtendsNothing() {
            Lease lease = ours("a", 0, 0);
            Sight observation = known(lease).seen(lease, at(9), true).seen(lease, at(10), false);

            assertLeaseExpiry(observation, 15);
            assertThat(observation.seenAt()).isEqualTo(at(0).nanos());
        }

        @Test
        void aTimeThatIsWrittenTwiceMayBeOfARenewalThatWasNotSeen() {
            Lease renewed = plain("a", 0, 3).toBuilder().resourceVersion("7").build();
            Lease renewedAgainByAClockThatWasSetBack =
                    renewed.toBuilder().resourceVersion("11").build();

            assertLeaseExpiry(known(renewed).seen(renewedAgainByAClockThatWasSetBack, at(12), false), 27);
            assertLeaseExpiry(known(renewed).seen(renewedAgainByAClockThatWasSetBack, at(12), true), 15);
        }

        @Test
        void theLastRecordThatWasSeenMayHaveBeenPutBackOverRenewalsThatWereNotSeen() {
            Lease copy = ours("a", 0, 0).toBuilder().resourceVersion("9").build();

            assertLeaseExpiry(known(ours("a", 0, 0)).seen(copy, at(12), false), 27);
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(copy, at(12), true), 15);
        }

        @Test
        void aChangeOfAnythingElseExtendsNothing() {
            Lease asked = ours("a", 0, 0).toBuilder().endOfTerm("b", null).build();
            Sight observation = known(ours("a", 0, 0)).seen(asked, at(9), true);

            assertLeaseExpiry(observation, 15);
            assertThat(observation.lease().endOfTerm()).isTrue();
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
            Sight observation = known(ours("a", 0, 3)).seen(grant("b", 4), at(4), true);

            assertAcquirableAt(observation, 4);
            assertLeaseExpiry(observation, 9);
        }

        @Test
        void aGrantThatWasMissedInAGapCanBeBegunAtOnce() {
            assertAcquirableAt(known(ours("a", 0, 3)).seen(grant("b", 4), at(20), false), 20);
        }

        @Test
        void aGrantThatHasBegunIsNotReplaced() {
            Sight granted = known(released(0)).seen(grant("b", 4), at(4), true);
            Sight begun = granted.seen(ours("b", 5, 5), at(5), true);

            assertThat(granted.lease().granted()).isTrue();
            assertThat(begun.lease().granted()).isFalse();
            assertAcquirableAt(begun, 20);
        }

        @Test
        void aTwinOfTheHolderHasToWaitLikeAnyOtherCandidate() {
            Sight observation = known(released(0)).seen(ours("a", 2, 2), at(2), true);

            assertAcquirableAt(observation, 17);
            assertAcquirableAt(observation.seen(ours("a", 2, 5), at(5), true), 20);
        }

        @Test
        void aTermNeverShortensTheOneBeforeThatWasNotSeenToEnd() {
            Duration minute = Duration.ofSeconds(60);
            Lease longer = ours("a", 0, 0).toBuilder()
                    .leaseDuration(minute)
                    .term(TermAnnotation.begun("n1", "a0", minute, "a", time(0), Ended.NOTHING))
                    .build();

            assertLeaseExpiry(known(longer).seen(ours("b", 5, 5), at(5), true), 60);
        }
    }

    @Nested
    class Deletion {

        @Test
        void ofAHeldLeaseLeavesItsHolderTheTimeThatItHad() {
            Sight observation = known(ours("a", 0, 0)).seen(null, at(4), true);

            assertLeaseExpiry(observation, 15);
            assertThat(observation.lease()).isNull();
        }

        @Test
        void theDeletionThatWasFoundAfterAGapLeavesTheHolderARenewalThatWasNotSeen() {
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(null, at(14), false), 29);
        }

        @Test
        void ofAFreeLeaseLeavesItFree() {
            assertThat(known(released(0)).seen(null, at(4), true).free(at(4))).isTrue();
        }

        @Test
        void theDeletionThatAListShowsOnceMoreMayHideATerm() {
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(null, at(4), true).seen(null, at(6), false), 21);
        }

        @Test
        void theDeletionThatTheWatchShowsHidesNoTerm() {
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(null, at(4), true).seen(null, at(6), true), 15);
        }

        @Test
        void theDeletionIsNotForgottenWhenTheLeaseIsCreatedAnewByOneWhoKnowsNothing() {
            Sight deleted = known(ours("a", 0, 0)).seen(null, at(4), true);

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
        void grantsByOneWhoCreatedTheLeaseAnewAndKnewNothingWaitForTheTermByTheOldOneToo() {
            Sight deleted = known(ours("a", 0, 0)).seen(null, at(4), true);
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
            Sight seen = known(ours("a", 0, 0)).seen(shortened(ours("a", 0, 10)), at(12), false);

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
            Sight edited = known(ours("a", 0, 0)).seen(lengthened(ours("a", 0, 0)), at(2), true);

            assertLeaseExpiry(edited, 15);
            assertLeaseExpiry(edited.seen(ours("a", 0, 3), at(3), true), 18);
        }

        @Test
        void aPlainHolderClaimsWhatItsLatestRecordSays() {
            Sight edited = known(plain("a", 0, 0)).seen(lengthened(plain("a", 0, 0)), at(2), true);

            assertLeaseExpiry(edited, 3600);
            assertLeaseExpiry(edited.seen(plain("a", 0, 0), at(4), true), 15);
            assertLeaseExpiry(edited.seen(plain("a", 0, 3), at(4), true), 19);
        }

        @Test
        void aTermThatIsFirstSeenSoRunsOutByTheDurationOfItsTermAnnotation() {
            Sight edited = known(lengthened(ours("a", 0, 0)));

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
        void preemptionsLeaveTheHolderBeforeTheTimeThatItHas() {
            Sight seen = known(ours("a", 0, 0)).seen(preemption, at(5), true);

            assertThat(seen.termEnd()).isEqualTo(at(15).nanos());
            assertLeaseExpiry(seen, 30);
        }

        @Test
        void preemptionsTakeNothingFromTheHolderBeforeHoweverLittleTimeTheySayItHas() {
            assertThat(known(ours("a", 0, 0))
                            .seen(preempting("b", 5, 7), at(5), true)
                            .termEnd())
                    .isEqualTo(at(15).nanos());
        }

        @Test
        void preemptionsCarryTheHoldersRemainingTimeForAProcessThatHasSeenNothingBefore() {
            assertThat(Sight.first(preemption, at(5)).termEnd()).isEqualTo(at(15).nanos());
        }

        @Test
        void preemptionsLeaveAHolderThatWasPreemptedEarlierNoMoreTime() {
            Sight first = known(ours("a", 0, 0)).seen(preemption, at(5), true);

            Sight second = first.seen(preempting("c", 8, 7), at(8), true);

            assertThat(second.termEnd()).isEqualTo(at(15).nanos());
        }

        @Test
        void preemptionsLeaveTheEarlierHolderItsTimeAlsoWhenAnotherOrNoHolderIsNamed() {
            Sight first = known(ours("a", 0, 0)).seen(preemption, at(5), true);

            assertAcquirableAt(first.seen(edit(preemption, "ghost"), at(6), true), 15);
            assertLeaseExpiry(first.seen(edit(preemption, ""), at(6), true), 15);
            assertLeaseExpiry(first.seen(null, at(6), true), 15);
        }

        @Test
        void preemptionsAreOverWithTheTermThatFollows() {
            Sight begun = known(preemption).seen(ours("b", 15, 15), at(15), true);

            assertThat(begun.termEnd()).isEqualTo(begun.standby().freeAt());
        }

        private Lease preempting(String by, int at, int formerTerm) {
            return ours(by, at, at).toBuilder()
                    .leaseDuration(DURATION.plusSeconds(formerTerm))
                    .term(TermAnnotation.preempting("n2", by + at, Duration.ofSeconds(formerTerm), by, time(at)))
                    .build();
        }
    }

    /** safety.md#succession: only a record that cites a claim ends it early. */
    @Nested
    class ARecordThatCitesWhatItEnds {

        private final Lease a = ours("a", 0, 0).toBuilder().resourceVersion("7").build();

        private Lease releasedAfter(String term, String version) {
            return record(null, 4, 4)
                    .leaseDuration(Duration.ofSeconds(1))
                    .term(TermAnnotation.released(new Ended(term, version)))
                    .build();
        }

        @Test
        void aRecordThatCitesWhatItEndsEndsTheVersionThatItCites() {
            assertThat(known(a).seen(releasedAfter(null, "7"), at(4), true).free(at(4)))
                    .isTrue();
        }

        @Test
        void aRecordThatCitesWhatItEndsEndsTheTermThatItCitesAlsoIfRenewalsWereMissed() {
            assertThat(known(a).seen(releasedAfter("n1.a0", "9"), at(4), false).free(at(4)))
                    .isTrue();
        }

        @Test
        void aRecordThatCitesWhatItEndsEndsNoOtherTermAndNoOtherVersion() {
            assertLeaseExpiry(known(a).seen(releasedAfter("n1.b0", "6"), at(4), true), 15);
        }

        /** An administrator's edit. */
        @Test
        void aRecordThatCitesWhatItEndsDoesNotEndItsOwnTerm() {
            Lease edited = a.toBuilder()
                    .resourceVersion("8")
                    .transitions(247)
                    .term(TermAnnotation.begun("n1", "a0", Duration.ofSeconds(1), "a", time(0), new Ended("*", "7")))
                    .build();

            assertThat(known(a).seen(edited, at(4), false).free(at(14))).isFalse();
        }

        @Test
        void aRecordThatCitesWhatItEndsEndsNoOtherTermThatIsKnownOfToo() {
            Sight taken = known(a).seen(plain(ours("a", 0, 0), "b", 3, 3), at(3), true);

            assertLeaseExpiry(taken.seen(released(4), at(4), true), 15);
        }

        @Test
        void aRecordThatCitesWhatItEndsEndsTheClaimOfAPlainHolderByItsVersion() {
            Lease plain = plain("p", 0, 0).toBuilder().resourceVersion("7").build();

            assertAcquirableAt(known(plain).seen(grant("b", 16), at(3), true), 3);
        }

        @Test
        void aRecordThatCitesWhatItEndsEndsATermForThoseWhoHaveMissedItsEndAndSeeTheNextTerm() {
            Lease next = ours("b", 5, 5).toBuilder()
                    .term(TermAnnotation.begun("n2", "b5", DURATION, "b", time(5), new Ended("n1.a0", "9")))
                    .build();

            assertLeaseExpiry(known(a).seen(next, at(40), false).seen(released(41), at(41), true), 41);
        }
    }

    /** A list or a read shows a lease that didn't exist when this process last looked. */
    @Nested
    class ALeaseThatWasMissing {

        private final Sight missing = Sight.first(null, at(0));
        private final Sight deleted = known(released(0)).seen(null, at(0), true);

        private final Lease created = ours("a", 1, 1).toBuilder()
                .term(TermAnnotation.begun("n1", "w1", DURATION, "a", time(1), Ended.NOTHING))
                .build();
        private final Lease release = released(3).toBuilder()
                .term(TermAnnotation.released(created.endedWhenReplaced()))
                .build();

        @Test
        void aLeaseThatWasMissingMayHaveBeenLedByMeanwhileIfARecordWasEverSeen() {
            assertLeaseExpiry(deleted.seen(record(null, 1, 1).build(), at(2), false), 17);
        }

        @Test
        void aLeaseThatWasMissingHidesNothingFromAProcessThatHasSeenNoRecord() {
            assertThat(missing.seen(record(null, 1, 1).build(), at(2), false).free(at(2)))
                    .isTrue();
        }

        @Test
        void aLeaseThatWasMissingMayHideATermBeforeTheOneThatItsFirstRecordShows() {
            assertLeaseExpiry(deleted.seen(created, at(2), false).seen(release, at(3), true), 17);
        }

        @Test
        void aLeaseThatWasMissingIsLedByItsFirstTermAloneToAProcessThatHasSeenNoRecord() {
            assertThat(missing.seen(created, at(2), false)
                            .seen(release, at(3), true)
                            .free(at(3)))
                    .isTrue();
        }

        @Test
        void aLeaseThatWasMissingIsFreeIfTheWatchShowsThatItCameWithoutAHolder() {
            assertThat(missing.seen(record(null, 1, 1).build(), at(2), true).free(at(2)))
                    .isTrue();
        }
    }

    /** A read or an answer was faster than the watch, which shows an older record later. */
    @Nested
    class ALateRecord {

        @Test
        void ofAnotherTermAddsItsClaim() {
            Sight bare = known(record(null, 0, 0).build());

            assertLeaseExpiry(bare.late(ours("a", 0, 0), at(2)), 17);
        }

        @Test
        void ofThePresentTermAddsNothing() {
            Sight held = known(ours("a", 0, 4));

            assertLeaseExpiry(held.late(ours("a", 0, 2), at(7)), 15);
        }

        @Test
        void ofATermThatHasEndedAddsNothing() {
            Lease held = ours("a", 0, 0);
            Lease release = released(4).toBuilder()
                    .term(TermAnnotation.released(held.endedWhenReplaced()))
                    .build();

            assertThat(known(release).late(held, at(7)).free(at(7))).isTrue();
        }

        @Test
        void ofAPlainHolderAddsNoMoreThanOnesOwnDuration() {
            Lease typingError = plain("b", 0, 0).toBuilder()
                    .leaseDuration(Duration.ofDays(1))
                    .build();

            assertLeaseExpiry(known(record(null, 0, 0).build()).late(typingError, at(2)), 17);
        }
    }

    /** safety.md#succession: an administrator's line ends every claim of the version that it cites. */
    @Nested
    class TheAdministratorsLine {

        private final Lease ghost = plain("ghost", 0, 0).toBuilder()
                .leaseDuration(Duration.ofDays(25_000))
                .resourceVersion("7")
                .build();

        private Lease line(String version) {
            return record(null, 0, 0)
                    .leaseDuration(Duration.ofSeconds(1))
                    .term(TermAnnotation.released(new Ended(Ended.ALL, version)))
                    .build();
        }

        @Test
        void theAdministratorsLineEndsAllClaimsOfTheVersionThatItCites() {
            Sight deleted = known(ours("a", 0, 0)).seen(ghost, at(1), true);

            assertThat(deleted.seen(line("7"), at(2), true).free(at(2))).isTrue();
            assertThat(deleted.seen(line("7"), at(2), false).free(at(2))).isTrue();
        }

        @Test
        void theAdministratorsLineEndsNothingOfAnotherVersion() {
            assertThat(known(ours("a", 0, 0)).seen(line("6"), at(2), true).free(at(14)))
                    .isFalse();
        }

        @Test
        void theAdministratorsLineIsOfNoAvailForARecordThatIsGone() {
            Sight deleted = known(ours("a", 0, 0)).seen(null, at(1), true);

            assertLeaseExpiry(deleted.seen(line("7"), at(2), true), 15);
        }

        @Test
        void theAdministratorsLineIsNotCitedByTheTermThatFollows() {
            assertThat(line("7").endedWhenReplaced().term()).isNull();
        }
    }

    /** safety.md#succession: an earlier copy cites a version long gone; a bare object cites nothing. */
    @Nested
    class AnObjectThatIsPutBack {

        private final Sight a = known(released(0))
                .seen(grant("b", 1), at(1), true)
                .seen(ours("b", 1, 1), at(2), true)
                .seen(released(3), at(3), true)
                .seen(ours("a", 4, 4), at(4), true);

        @Test
        void anObjectThatIsPutBackBareLeavesTheHolderItsTime() {
            assertLeaseExpiry(a.seen(Lease.builder(ObservedLeases.KEY).build(), at(6), true), 19);
        }

        @Test
        void anObjectThatIsPutBackAsAGrantLeavesTheHolderItsTime() {
            Lease copy = known(released(0)).seen(grant("b", 1), at(1), true).lease();

            assertAcquirableAt(a.seen(again(copy), at(6), true), 19);
            assertAcquirableAt(a.seen(again(copy), at(6), false), 21);
        }

        @Test
        void anObjectThatIsPutBackAsAReleaseLeavesTheHolderItsTime() {
            Lease copy = known(ours("b", 1, 1)).seen(released(3), at(3), true).lease();

            assertLeaseExpiry(a.seen(again(copy), at(6), true), 19);
            assertLeaseExpiry(a.seen(again(copy), at(6), false), 21);
        }

        @Test
        void anObjectThatIsPutBackAsATermClaimsAsMuchAsThatTerm() {
            assertLeaseExpiry(a.seen(ours("b", 1, 1), at(6), true), 21);
        }

        @Test
        void afterADeletionLeavesTheHolderItsTime() {
            Lease copy = known(ours("b", 1, 1)).seen(released(3), at(3), true).lease();

            assertLeaseExpiry(a.seen(null, at(5), true).seen(again(copy), at(6), true), 19);
        }

        private static Lease again(Lease copy) {
            return copy.toBuilder().resourceVersion("99").build();
        }
    }

    /** cases/ghost-lease.yaml. */
    @Nested
    class AWrongRecordOfAPlainHolder {

        private final Lease ghost = plain("ghost", 0, 0).toBuilder()
                .leaseDuration(Duration.ofDays(1))
                .build();

        private final Lease corrected =
                ghost.toBuilder().leaseDuration(DURATION).build();

        @Test
        void aWrongRecordOfAPlainHolderIsMendedByCorrectingItsDuration() {
            assertLeaseExpiry(known(ghost).seen(corrected, at(60), true), 15);
        }

        @Test
        void aWrongRecordOfAPlainHolderIsMendedByRemovingTheHolder() {
            assertLeaseExpiry(known(ghost).seen(edit(ghost, ""), at(60), true), 75);
        }

        @Test
        void aWrongRecordOfAPlainHolderIsMendedByDeletingIt() {
            assertLeaseExpiry(known(ghost).seen(null, at(60), true), 75);
            assertLeaseExpiry(known(ghost).seen(null, at(60), false), 75);
        }

        @Test
        void aWrongRecordOfAPlainHolderIsMendedInAnyOrderOfRepairs() {
            Sight cleared = known(ghost).seen(edit(ghost, ""), at(60), true);

            assertLeaseExpiry(cleared.seen(edit(corrected, ""), at(61), true), 75);
            assertLeaseExpiry(cleared.seen(null, at(61), true), 75);
            assertLeaseExpiry(cleared.seen(ghost, at(61), true).seen(corrected, at(62), true), 76);
        }
    }

    /** safety.md#succession. */
    @Nested
    class InANewHistory {

        private static final Duration MINUTE = Duration.ofSeconds(60);

        private final Lease longer = ours("a", 0, 0).toBuilder()
                .term(TermAnnotation.begun("n1", "a0", MINUTE, "a", time(0), Ended.NOTHING))
                .build();

        @Test
        void aTermOfTheFormerOneIsWaitedOutForAsLongAsItsRecordSaid() {
            assertLeaseExpiry(known(longer).missed(at(10)), 70);
        }

        @Test
        void aTermOfTheFormerOneIsWaitedOutForAsLongAsThisProcessIsConfigured() {
            Lease shorter =
                    record("a", 0, 0).leaseDuration(Duration.ofSeconds(5)).build();

            assertLeaseExpiry(known(shorter).missed(at(10)), 25);
        }

        @Test
        void theTermBeforeADeletionIsWaitedOutToo() {
            assertLeaseExpiry(known(longer).seen(null, at(1), true).missed(at(10)), 70);
        }

        @Test
        void aProcessThatHasSeenNothingWaitsForAsLongAsItIsConfigured() {
            assertLeaseExpiry(Sight.first(null, at(0)).missed(at(10)), 25);
        }

        @Test
        void aGrantOfTheRestoredRecordWaitsForATermOfTheFormerOne() {
            assertAcquirableAt(known(ours("a", 0, 0)).missed(at(10)).seen(grant("b", 5), at(10), false), 25);
        }
    }

    /** Which unseen term is assumed after a gap: the longest one that no citation has ended. */
    @Nested
    class AfterAGap {

        private final Lease bare = record(null, 0, 0).build();

        private Lease ofAMinute(String holder, int acquired, int renewed) {
            return ours(holder, acquired, renewed).toBuilder()
                    .term(TermAnnotation.begun(
                                    "n1",
                                    holder + acquired,
                                    Duration.ofSeconds(60),
                                    holder,
                                    time(acquired),
                                    Ended.NOTHING)
                            .withWrite("w" + renewed))
                    .build();
        }

        @Test
        void aTermThatAnEditHasHiddenMayHaveBeenRenewed() {
            Sight edited = known(ofAMinute("a", 0, 0)).seen(bare, at(1), true);

            assertLeaseExpiry(edited.seen(record(null, 2, 2).build(), at(30), false), 90);
        }

        @Test
        void aTermThatACitationHasEndedIsNotAssumed() {
            Sight released = known(ofAMinute("a", 0, 0)).seen(released(1), at(1), true);

            assertLeaseExpiry(released.seen(record(null, 2, 2).build(), at(30), false), 45);
        }

        @Test
        void aTermOfDecadesThatWasReleasedBarsNobody() {
            Lease decades = ours("a", 0, 0).toBuilder()
                    .term(TermAnnotation.begun(
                            "n1", "a0", Duration.ofSeconds(Integer.MAX_VALUE), "a", time(0), Ended.NOTHING))
                    .build();

            assertLeaseExpiry(known(decades).seen(released(1), at(1), true).seen(bare, at(30), false), 45);
        }

        @Test
        void theRunningTermMayHaveBeenRenewedAndItsDurationEditedSince() {
            Lease shortened = ofAMinute("a", 0, 9).toBuilder()
                    .term(TermAnnotation.begun("n1", "a0", Duration.ofSeconds(1), "a", time(0), Ended.NOTHING)
                            .withWrite("w9"))
                    .build();

            assertLeaseExpiry(known(ofAMinute("a", 0, 0)).seen(shortened, at(10), false), 70);
        }

        @Test
        void aRecordOfTheRunningTermHidesNoOtherTermIfAllBeforeItHaveEnded() {
            Sight running = known(released(0)).seen(ours("a", 1, 1), at(1), true);

            assertThat(running.seen(ours("a", 1, 9), at(10), false)
                            .seen(released(11), at(11), true)
                            .free(at(11)))
                    .isTrue();
        }

        @Test
        void aRecordOfTheRunningTermMayHideAnEarlierOneThatNothingHasEnded() {
            Sight running = known(ofAMinute("c", 0, 0)).seen(bare, at(1), true).seen(ours("a", 2, 2), at(2), true);

            assertLeaseExpiry(
                    running.seen(
                                    ours("a", 2, 2).toBuilder()
                                            .resourceVersion("77")
                                            .build(),
                                    at(10),
                                    false)
                            .seen(released(11), at(11), true),
                    70);
        }

        @Test
        void theUnchangedRecordHidesNothing() {
            assertThat(known(released(0)).seenAgain(at(30)).free(at(30))).isTrue();
        }
    }

    @Nested
    class WhatKeepsEverybodyAway {

        private static final Duration DAY = Duration.ofDays(1);

        @Test
        void aGrantOfADayKeepsOthersAwayForTheObserversLeaseDuration() {
            Lease day = grant("b", 0).toBuilder().leaseDuration(DAY).build();

            assertLeaseExpiry(known(day), 15);
        }

        @Test
        void aPreemptionOfADayKeepsOthersAwayForTheFormerTermAndTheObserversLeaseDuration() {
            Lease day = record("b", 0, 0)
                    .leaseDuration(DAY)
                    .term(TermAnnotation.preempting("n2", "w1", Duration.ofSeconds(9), "b", time(0)))
                    .build();

            assertLeaseExpiry(known(day), 24);
        }

        @Test
        void aGrantThatIsPutBackOverItsPlainHoldersRenewalTakesNothingAway() {
            Lease granted = grant("b", 0).toBuilder()
                    .term(TermAnnotation.granted("b", time(0), new Ended(null, "of long ago")))
                    .build();
            Lease renewed = granted.toBuilder().renewTime(time(9)).build();
            Sight plain = known(granted).seen(renewed, at(9), true);

            assertLeaseExpiry(plain.seen(granted, at(10), true), 24);
        }

        @Test
        void theAdministratorsLineOnARecordWithAHolderEndsNothing() {
            Lease running = ours("a", 0, 0);
            Lease edited = running.toBuilder()
                    .term(TermAnnotation.begun("n1", "a0", DURATION, "a", time(0), new Ended(Ended.ALL, "1"))
                            .withWrite("w0"))
                    .build();

            assertLeaseExpiry(known(running).seen(edited, at(5), true), 20);
        }

        @Test
        void theAdministratorsLineInTheAnnotationOfATermEndsNothingAlsoWithoutAHolder() {
            Lease emptied = ours("a", 0, 0).toBuilder()
                    .holder(null)
                    .resourceVersion("7")
                    .build();
            Lease edited = emptied.toBuilder()
                    .resourceVersion("8")
                    .term(TermAnnotation.begun("n1", "a0", DURATION, "a", time(0), new Ended(Ended.ALL, "7"))
                            .withWrite("w0"))
                    .build();

            assertThat(known(ours("a", 0, 0))
                            .seen(emptied, at(1), true)
                            .seen(edited, at(2), true)
                            .free(at(14)))
                    .isFalse();
        }
    }
}
