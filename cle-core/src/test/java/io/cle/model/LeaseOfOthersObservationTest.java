package io.cle.model;

import java.time.Duration;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.model.ObservedLeases.assertAcquirableAt;
import static io.cle.model.ObservedLeases.assertLeaseExpiry;
import static io.cle.model.ObservedLeases.at;
import static io.cle.model.ObservedLeases.edit;
import static io.cle.model.ObservedLeases.grant;
import static io.cle.model.ObservedLeases.known;
import static io.cle.model.ObservedLeases.kubeApiserverGrant;
import static io.cle.model.ObservedLeases.ours;
import static io.cle.model.ObservedLeases.plain;
import static io.cle.model.ObservedLeases.plainRelease;
import static io.cle.model.ObservedLeases.record;
import static io.cle.model.ObservedLeases.released;
import static io.cle.model.ObservedLeases.time;
import static org.assertj.core.api.Assertions.assertThat;

/** Leases of writers that leave no term annotation: client-go, kube-apiserver, an administrator. */
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
            LeaseObservation observation = known(oursBefore).seen(taken, at(16), true);

            assertLeaseExpiry(observation, 31);
        }

        @Test
        void oneThatTookAGrantThatHadNotBegunIsWaitedOut() {
            Lease fromGrant = plain(grant("dead", 0), "plain", 6, 6);

            LeaseObservation observation = known(grant("dead", 0)).seen(fromGrant, at(6), true);

            assertThat(fromGrant.granted()).isFalse();
            assertLeaseExpiry(observation, 21);
        }

        @Test
        void oneThatRenewsIsWaitedOutFromItsLastRenewal() {
            LeaseObservation observation = known(taken).seen(plain(taken, "plain", 16, 26), at(26), true);

            assertLeaseExpiry(observation, 41);
            assertAcquirableAt(observation, 41);
        }

        @Test
        void aHolderThatRenewsOurGrantWithoutATermAnnotationLeadsByIt() {
            Lease granted = grant("goclient", 0);
            Lease renewed = granted.toBuilder().renewTime(time(1)).build();

            assertThat(renewed.granted()).isFalse();
            assertAcquirableAt(known(granted).seen(renewed, at(1), true), 6);
        }

        @Test
        void aReleaseFreesTheLeaseAtOnceAlthoughAnOlderTermAnnotationIsOnIt() {
            LeaseObservation held = known(oursBefore).seen(taken, at(16), true);

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
            LeaseObservation plainLeads = known(oursBefore).seen(taken, at(16), true);

            LeaseObservation renamed = plainLeads.seen(kubeApiserverGrant(taken, "a", 19), at(19), true);

            assertThat(renamed.lease().confirmed()).isFalse();
            assertAcquirableAt(renamed, 31);
            assertLeaseExpiry(renamed, 31);
        }
    }

    @Nested
    class KubeApiserver {

        @Test
        void aGrantOfALeaseWhoseTermWasNeverSeenWaitsAsLongAsItsTermAnnotationSays() {
            Lease granted = kubeApiserverGrant(ours("a", 2, 2), "b", 4);

            assertAcquirableAt(known(released(0)).seen(granted, at(5), false), 20);
            assertAcquirableAt(LeaseObservation.first(granted, at(5)), 20);
        }

        @Test
        void grantsForFiveSecondsAndThatCanBeBegunAtOnce() {
            assertAcquirableAt(known(kubeApiserverGrant(record(null, 0, 0).build(), "a", 0)), 0);
        }

        @Test
        void aGrantOfALeaseThatWasMissingCanBeBegunAtOnce() {
            LeaseObservation missing = LeaseObservation.first(null, at(0));
            Lease created = kubeApiserverGrant(record(null, 0, 0).build(), "b", 3);

            assertAcquirableAt(missing.seen(created, at(3), true), 0);
        }

        @Test
        void aGrantOfAReleasedLeaseCanBeBegunAtOnce() {
            LeaseObservation free = known(ours("a", 0, 0)).seen(released(2), at(2), true);

            assertAcquirableAt(free.seen(kubeApiserverGrant(released(2), "b", 3), at(3), true), 2);
        }

        @Test
        void aGrantByItsOwnClockWaitsForTheHolderBefore() {
            LeaseObservation observation =
                    known(ours("a", 0, 0)).seen(kubeApiserverGrant(ours("a", 0, 0), "b", 3), at(3), true);

            assertAcquirableAt(observation, 15);
            assertLeaseExpiry(observation, 15);
        }

        @Test
        void aGrantByItsOwnClockWaitsForAPlainHolderBefore() {
            Lease held =
                    plain("plain", 0, 0).toBuilder().electedBy("kube-apiserver").build();

            LeaseObservation observation = known(held).seen(kubeApiserverGrant(held, "b", 3), at(3), true);

            assertAcquirableAt(observation, 15);
            assertLeaseExpiry(observation, 15);
        }

        @Test
        void aGrantSeenAfterAGapWaitsForARenewalThatWasNotSeen() {
            LeaseObservation observation =
                    known(ours("a", 0, 0)).seen(kubeApiserverGrant(ours("a", 0, 9), "b", 14), at(14), false);

            assertAcquirableAt(observation, 29);
        }

        @Test
        void aGrantSeenAgainIsNotPutOff() {
            Lease grant = kubeApiserverGrant(ours("a", 0, 0), "b", 3);
            LeaseObservation observation = known(ours("a", 0, 0)).seen(grant, at(3), true);

            assertAcquirableAt(observation.seen(grant, at(6), false), 15);
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

            LeaseObservation observation = known(ours("a", 0, 0))
                    .seen(empty, at(4), true)
                    .seen(taken, at(5), true)
                    .seen(renewed, at(6), true)
                    .seen(plainRelease(renewed, 7), at(7), true);

            assertLeaseExpiry(observation, 15);
        }

        @Test
        void anEditThatEmptiesAHeldLeaseTakesNothingFromItsHolderWhenOneOfOursAcquiresAndReleasesIt() {
            LeaseObservation observation = known(ours("a", 0, 0))
                    .seen(edit(ours("a", 0, 0), ""), at(4), true)
                    .seen(ours("b", 5, 5), at(5), true)
                    .seen(released(7), at(7), true);

            assertLeaseExpiry(observation, 15);
        }

        @Test
        void anEditThatNamesAnotherHolderTakesNothingFromTheEarlierOneWhenTheOtherReleasesTheLease() {
            Lease edited = edit(ours("a", 0, 0), "plain");
            LeaseObservation named = known(ours("a", 0, 0)).seen(edited, at(4), true);

            LeaseObservation observation =
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

            assertLeaseExpiry(releasedByAPlainHolder(LeaseObservation.first(edited, at(10)), edited), 25);
        }

        @Test
        void anAcquisitionInAGapDoesNotDelayTheReleaseOfThePlainHolderThatHasWaited() {
            Lease taken = plain(ours("a", 0, 0), "plain", 16, 16);

            assertLeaseExpiry(releasedByAPlainHolder(known(ours("a", 0, 0)).seen(taken, at(17), false), taken), 19);
        }

        private static LeaseObservation releasedByAPlainHolder(LeaseObservation observation, Lease lease) {
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
            LeaseObservation observation = known(ours("a", 0, 0))
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
            assertLeaseExpiry(LeaseObservation.first(null, at(0)).seen(empty, at(12), false), 27);
        }

        @Test
        void anEditThatNamesAnotherHolderInAGapTakesNothingFromOneThatHasAcquiredTheLeaseInThatGap() {
            LeaseObservation observation = known(released(0)).seen(edit(ours("b", 8, 9), "c"), at(12), false);

            assertAcquirableAt(observation, 27);
        }

        @Test
        void anEditThatEmptiesALeaseAgainAfterAnotherTermInAGapTakesNothingFromThatTerm() {
            LeaseObservation observation = known(ours("a", 0, 0))
                    .seen(edit(ours("a", 0, 0), ""), at(4), true)
                    .seen(edit(ours("a", 16, 16), ""), at(20), false);

            assertLeaseExpiry(observation, 35);
        }

        @Test
        void anEditThatNamesAnotherHolderTakesNothingFromTheEarlierOne() {
            LeaseObservation observation = known(ours("a", 0, 0)).seen(edit(ours("a", 0, 0), "b"), at(4), true);

            assertAcquirableAt(observation, 15);
            assertLeaseExpiry(observation, 19);
        }

        @Test
        void anEditThatNamesAnotherHolderTakesNothingFromAnEarlierPlainOne() {
            Lease held = plain("plain", 0, 0);

            assertAcquirableAt(known(held).seen(edit(held, "b"), at(4), true), 15);
        }

        @Test
        void removingTheTermAnnotationTakesNothingFromAHolderThatIsSeenForTheFirstTime() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertAcquirableAt(known(stripped), 15);
        }

        /** A process of the same name had stopped before, and is started again. */
        @Test
        void removingTheTermAnnotationTakesNothingFromAHolderThatHasAcquiredTheLeaseUnseen() {
            Lease stripped = ours("a", 8, 9).toBuilder().term(null).build();

            assertAcquirableAt(known(released(0)).seen(stripped, at(12), false), 27);
            assertAcquirableAt(LeaseObservation.first(null, at(0)).seen(stripped, at(12), false), 27);
        }

        @Test
        void removingTheTermAnnotationTakesNothingFromTheHolder() {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();

            assertAcquirableAt(known(ours("a", 0, 0)).seen(stripped, at(4), true), 19);
        }

        /** The twin has just started: to it, a record that names it and has a short duration looks like a grant of kube-apiserver. */
        @Test
        void removingTheTermAnnotationTakesNothingFromTheHolderWhenATwinAcquiresTheLeaseAndHandsItOver() {
            assertAcquirableAt(handedOverAfterTheTermAnnotationWasRemovedAnd(ours("a", 5, 5)), 19);
        }

        @Test
        void removingTheTermAnnotationDoesNotDelayTheHandOverOfAHolderThatHasRenewedSince() {
            assertAcquirableAt(handedOverAfterTheTermAnnotationWasRemovedAnd(ours("a", 0, 5)), 7);
        }

        private static LeaseObservation handedOverAfterTheTermAnnotationWasRemovedAnd(Lease written) {
            Lease stripped = ours("a", 0, 0).toBuilder().term(null).build();
            return known(ours("a", 0, 0))
                    .seen(stripped, at(4), true)
                    .seen(written, at(5), true)
                    .seen(grant("b", 7), at(7), true);
        }
    }
}
