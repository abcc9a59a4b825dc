package io.cle.model.internal;

import java.time.Duration;

import io.cle.model.internal.ObservedLeases.Sight;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.model.internal.ObservedLeases.assertAcquirableAt;
import static io.cle.model.internal.ObservedLeases.assertLeaseExpiry;
import static io.cle.model.internal.ObservedLeases.at;
import static io.cle.model.internal.ObservedLeases.edit;
import static io.cle.model.internal.ObservedLeases.grant;
import static io.cle.model.internal.ObservedLeases.known;
import static io.cle.model.internal.ObservedLeases.kubeApiserverGrant;
import static io.cle.model.internal.ObservedLeases.ours;
import static io.cle.model.internal.ObservedLeases.plain;
import static io.cle.model.internal.ObservedLeases.plainRelease;
import static io.cle.model.internal.ObservedLeases.record;
import static io.cle.model.internal.ObservedLeases.released;
import static io.cle.model.internal.ObservedLeases.time;
import static org.assertj.core.api.Assertions.assertThat;

/** Leases of writers without term annotations: client-go, kube-apiserver, an administrator. */
class LeaseOfOthersObservationTest {

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
            Sight observation = known(oursBefore).seen(taken, at(16), true);

            assertLeaseExpiry(observation, 31);
        }

        @Test
        void oneThatTookAGrantThatHadNotBegunIsWaitedOut() {
            Lease fromGrant = plain(grant("dead", 0), "plain", 6, 6);

            Sight observation = known(grant("dead", 0)).seen(fromGrant, at(6), true);

            assertThat(fromGrant.granted()).isFalse();
            assertLeaseExpiry(observation, 21);
        }

        @Test
        void oneThatRenewsIsWaitedOutFromItsLastRenewal() {
            Sight observation = known(taken).seen(plain(taken, "plain", 16, 26), at(26), true);

            assertLeaseExpiry(observation, 41);
        }

        @Test
        void aHolderThatRenewsOurGrantWithoutATermAnnotationLeadsByIt() {
            Lease granted = grant("goclient", 0);
            Lease renewed = granted.toBuilder().renewTime(time(1)).build();

            assertThat(renewed.granted()).isFalse();
            assertLeaseExpiry(known(granted).seen(renewed, at(1), true), 16);
        }

        @Test
        void aReleaseFreesTheLeaseAtOnceAlthoughAnOlderTermAnnotationIsOnIt() {
            Sight held = known(oursBefore).seen(taken, at(16), true);

            assertThat(held.seen(plainRelease(taken, 20), at(20), true).free(at(20)))
                    .isTrue();
        }

        @Test
        void aReleaseFreesTheLeaseAtOnceWithoutATermAnnotation() {
            Lease lease = plain("plain", 0, 0);

            assertThat(known(lease).seen(plainRelease(lease, 4), at(4), true).free(at(4)))
                    .isTrue();
        }

        @Test
        void aHolderNamedAgainWithItsOldTermAnnotationDoesNotHideTheTermInBetween() {
            Sight plainLeads = known(oursBefore).seen(taken, at(16), true);

            Sight renamed = plainLeads.seen(kubeApiserverGrant(taken, "a", 19), at(19), true);

            assertThat(renamed.lease().confirmed()).isFalse();
            assertAcquirableAt(renamed, 31);
            assertLeaseExpiry(renamed, 34);
        }
    }

    @Nested
    class KubeApiserver {

        @Test
        void aGrantOfALeaseWhoseTermWasNeverSeenWaitsAsLongAsItsTermAnnotationSays() {
            Lease granted = kubeApiserverGrant(ours("a", 2, 2), "b", 4);

            assertAcquirableAt(known(released(0)).seen(granted, at(5), false), 20);
            assertAcquirableAt(Sight.first(granted, at(5)), 20);
        }

        @Test
        void kubeApiserverGrantsForFiveSecondsAndThatCanBeBegunAtOnce() {
            assertAcquirableAt(known(kubeApiserverGrant(record(null, 0, 0).build(), "a", 0)), 0);
        }

        @Test
        void aGrantOfALeaseThatWasMissingCanBeBegunAtOnce() {
            Sight missing = Sight.first(null, at(0));
            Lease created = kubeApiserverGrant(record(null, 0, 0).build(), "b", 3);

            assertAcquirableAt(missing.seen(created, at(3), true), 3);
        }

        @Test
        void aGrantOfAReleasedLeaseCanBeBegunAtOnce() {
            Sight free = known(ours("a", 0, 0)).seen(released(2), at(2), true);

            assertAcquirableAt(
                    free.seen(
                            kubeApiserverGrant(free.lease(), "b", 3).toBuilder()
                                    .resourceVersion(null)
                                    .build(),
                            at(3),
                            true),
                    3);
        }

        @Test
        void aGrantByItsOwnClockWaitsForTheHolderBefore() {
            Sight observation = known(ours("a", 0, 0)).seen(kubeApiserverGrant(ours("a", 0, 0), "b", 3), at(3), true);

            assertAcquirableAt(observation, 15);
            assertLeaseExpiry(observation, 18);
        }

        @Test
        void aGrantByItsOwnClockWaitsForAPlainHolderBefore() {
            Lease held =
                    plain("plain", 0, 0).toBuilder().electedBy("kube-apiserver").build();

            Sight observation = known(held).seen(kubeApiserverGrant(held, "b", 3), at(3), true);

            assertAcquirableAt(observation, 15);
            assertLeaseExpiry(observation, 18);
        }

        @Test
        void aGrantSeenAfterAGapWaitsForARenewalThatWasNotSeen() {
            Sight observation =
                    known(ours("a", 0, 0)).seen(kubeApiserverGrant(ours("a", 0, 9), "b", 14), at(14), false);

            assertAcquirableAt(observation, 29);
        }

        @Test
        void aGrantSeenAgainIsNotPutOff() {
            Lease grant = kubeApiserverGrant(ours("a", 0, 0), "b", 3);
            Sight observation = known(ours("a", 0, 0)).seen(grant, at(3), true);

            assertAcquirableAt(observation.seenAgain(at(6)), 15);
        }
    }

    @Nested
    class AnAdministrator {

        @Test
        void anEditThatEmptiesAHeldLeaseTakesNothingFromItsHolder() {
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(edit(ours("a", 0, 0), ""), at(4), true), 15);
        }

        @Test
        void anEditThatEmptiesAHeldLeaseTakesNothingFromItsHolderWhenAnotherAcquiresAndReleasesIt() {
            Lease empty = edit(ours("a", 0, 0), "");
            Lease taken = plain(empty, "plain", 5, 5);
            Lease renewed = plain(taken, "plain", 5, 6);

            Sight observation = known(ours("a", 0, 0))
                    .seen(empty, at(4), true)
                    .seen(taken, at(5), true)
                    .seen(renewed, at(6), true)
                    .seen(plainRelease(renewed, 7), at(7), true);

            assertLeaseExpiry(observation, 15);
        }

        @Test
        void anEditThatEmptiesAHeldLeaseTakesNothingFromItsHolderWhenOneOfOursAcquiresAndReleasesIt() {
            Sight observation = known(ours("a", 0, 0))
                    .seen(edit(ours("a", 0, 0), ""), at(4), true)
                    .seen(ours("b", 5, 5), at(5), true)
                    .seen(released(7), at(7), true);

            assertLeaseExpiry(observation, 15);
        }

        @Test
        void anEditThatNamesAnotherHolderTakesNothingFromTheEarlierOneWhenTheOtherReleasesTheLease() {
            Lease edited = edit(ours("a", 0, 0), "plain");
            Sight named = known(ours("a", 0, 0)).seen(edited, at(4), true);

            Sight observation =
                    named.seen(plain(edited, "plain", 0, 5), at(5), true).seen(plainRelease(edited, 6), at(6), true);

            assertLeaseExpiry(observation, 15);
        }

        @Test
        void anEditThatNamesAnotherHolderInAGapTakesNothingFromTheEarlierOneWhenTheOtherReleasesTheLease() {
            Lease edited = edit(ours("a", 0, 9), "plain");

            assertLeaseExpiry(releasedByAPlainHolder(known(ours("a", 0, 0)).seen(edited, at(10), false), edited), 25);
        }

        @Test
        void
                anEditThatNamesAnotherHolderBeforeTheLeaseIsFirstSeenTakesNothingFromTheEarlierOneWhenTheOtherReleasesIt() {
            Lease edited = edit(ours("a", 0, 9), "plain");

            assertLeaseExpiry(releasedByAPlainHolder(Sight.first(edited, at(10)), edited), 25);
        }

        /** The remaining annotation describes a term whose end this process doesn't know. */
        @Test
        void anAcquisitionInAGapDelaysTheReleaseOfAPlainHolderByAsMuchAsWasMissed() {
            Lease taken = plain(ours("a", 0, 0), "plain", 16, 16);

            assertLeaseExpiry(releasedByAPlainHolder(known(ours("a", 0, 0)).seen(taken, at(17), false), taken), 32);
        }

        private static Sight releasedByAPlainHolder(Sight observation, Lease lease) {
            int acquired = (int) lease.acquireTime().getEpochSecond();
            int seen = (int) Duration.ofNanos(observation.seenAt()).toSeconds();
            Lease renewed = plain(lease, "plain", acquired, seen + 1);
            return observation
                    .seen(renewed, at(seen + 1), true)
                    .seen(plainRelease(renewed, seen + 2), at(seen + 2), true);
        }

        @Test
        void anEditThatEmptiesALeaseOfAPlainHolderTakesNothingFromIt() {
            Lease held = plain("plain", 0, 0);

            assertLeaseExpiry(known(held).seen(edit(held, ""), at(4), true), 15);
        }

        @Test
        void anEditThatEmptiesALeaseAndLaterRemovesItsTermAnnotationTakesNothingFromItsHolder() {
            Lease empty = edit(ours("a", 0, 0), "");
            Sight observation = known(ours("a", 0, 0))
                    .seen(empty, at(4), true)
                    .seen(empty.toBuilder().term(null).build(), at(5), true);

            assertLeaseExpiry(observation, 15);
        }

        @Test
        void anEditThatEmptiesALeaseAndRemovesItsTermAnnotationInAGapTakesNothingFromAHolderThatHasRenewedUnseen() {
            Lease empty = record("", 0, 9).build();

            assertLeaseExpiry(known(ours("a", 0, 0)).seen(empty, at(12), false), 27);
        }

        @Test
        void anEditThatEmptiesALeaseInAGapTakesNothingFromAHolderThatMayHaveWrittenTheSameSecondTwice() {
            Lease seen = ours("a", 0, 0).toBuilder().resourceVersion("5").build();
            Lease empty =
                    edit(ours("a", 0, 0), "").toBuilder().resourceVersion("9").build();

            assertLeaseExpiry(known(seen).seen(empty, at(12), false), 27);
            assertLeaseExpiry(known(seen).seen(empty, at(12), true), 15);
        }

        @Test
        void anEditThatEmptiesALeaseInAGapTakesNothingFromAHolderWhoseTermAnnotationWasNeverSeen() {
            Lease empty = edit(ours("b", 8, 9), "");

            assertLeaseExpiry(known(plain("plain", 0, 0)).seen(empty, at(12), false), 27);
        }

        @Test
        void anEditThatEmptiesALeaseInAGapTakesNothingFromAHolderThatHasAcquiredItInThatGap() {
            Lease empty = edit(ours("b", 8, 9), "");

            assertLeaseExpiry(known(released(0)).seen(empty, at(12), false), 27);
            assertLeaseExpiry(Sight.first(null, at(0)).seen(empty, at(12), false), 27);
        }

        @Test
        void anEditThatNamesAnotherHolderInAGapTakesNothingFromOneThatHasAcquiredTheLeaseInThatGap() {
            Sight observation = known(released(0)).seen(edit(ours("b", 8, 9), "c"), at(12), false);

            assertAcquirableAt(observation, 27);
        }

        @Test
        void anEditThatEmptiesALeaseAgainAfterAnotherTermInAGapTakesNothingFromThatTerm() {
            Sight observation = known(ours("a", 0, 0))
                    .seen(edit(ours("a", 0, 0), ""), at(4), true)
                    .seen(edit(ours("a", 16, 16), ""), at(20), false);

            assertLeaseExpiry(observation, 35);
        }

        @Test
        void anEditThatNamesAnotherHolderTakesNothingFromTheEarlierOne() {
            Sight observation = known(ours("a", 0, 0)).seen(edit(ours("a", 0, 0), "b"), at(4), true);

            assertAcquirableAt(observation, 15);
            assertLeaseExpiry(observation, 19);
        }

        @Test
        void anEditThatNamesAnotherHolderTakesNothingFromAnEarlierPlainOne() {
            Lease held = plain("plain", 0, 0);

            assertAcquirableAt(known(held).seen(edit(held, "b"), at(4), true), 15);
        }

        @Test
        void anAdministratorRemovingTheTermAnnotationTakesNothingFromAHolderThatIsSeenForTheFirstTime() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertLeaseExpiry(known(stripped), 15);
        }

        /** A process of the same name had stopped before, and is started again. */
        @Test
        void anAdministratorRemovingTheTermAnnotationTakesNothingFromAHolderThatHasAcquiredTheLeaseUnseen() {
            Lease stripped = ours("a", 8, 9).toBuilder().term(null).build();

            assertAcquirableAt(known(released(0)).seen(stripped, at(12), false), 27);
        }

        @Test
        void anAdministratorRemovingTheTermAnnotationTakesNothingFromTheHolder() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertAcquirableAt(known(ours("a", 0, 0)).seen(stripped, at(4), true), 15);
            assertLeaseExpiry(known(ours("a", 0, 0)).seen(stripped, at(4), true), 19);
        }

        /** The twin has just started: to it, a record that names it and has a short duration looks like a grant of kube-apiserver. */
        @Test
        void
                anAdministratorRemovingTheTermAnnotationTakesNothingFromTheHolderWhenATwinAcquiresTheLeaseAndHandsItOver() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertAcquirableAt(
                    known(ours("a", 0, 0))
                            .seen(stripped, at(4), true)
                            .seen(ours("a", 5, 5), at(5), true)
                            .seen(grant("b", 7), at(7), true),
                    19);
        }
    }
}
