package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.cle.Timings;
import io.cle.lock.internal.CandidacyMachine.Action;
import io.cle.lock.internal.CandidacyMachine.Event;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Moment;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The announcement of a candidate, from its creation to its withdrawal. */
class CandidacyMachineTest {

    private final CandidacyDriver candidacy = new CandidacyDriver();

    private Candidate stored() {
        return Objects.requireNonNull(candidacy.stored());
    }

    /** safety.md#succession. */
    @Nested
    class ARestoredEtcd {

        @Test
        void aRestoredEtcdHasTheCandidateWrittenAgain() {
            Candidate earlier = candidacy.announced().stored();
            candidacy.after(CandidacyDriver.RENEW_INTERVAL).answer().restore(earlier);

            candidacy.after(Duration.ofSeconds(15));
            assertThat(candidacy.open()).isInstanceOf(Action.Renew.class);
            candidacy.answer();
            assertThat(candidacy.state().stored()).isEqualTo(stored());
        }

        @Test
        void aRestoredEtcdHasACandidateCreatedThatIsNotInTheBackup() {
            candidacy.announced().restore(null);

            assertThat(candidacy.open()).isInstanceOf(Action.Create.class);
        }

        @Test
        void aRestoredEtcdIsNoLoopOfAcknowledgementsBeforeItIsFound() {
            candidacy.announced();
            Candidate earlier = stored();
            candidacy.ping(candidacy.wall().plusSeconds(1));

            candidacy.restoreUnseen(earlier).answer();

            assertThat(candidacy.open()).isNull();
        }

        @Test
        void aRestoredEtcdIsNoLoopOfAcknowledgementsEvenIfADeletionWasSeenBefore() {
            candidacy.announced().delete().answer();
            Candidate earlier = stored();
            candidacy.ping(candidacy.wall().plusSeconds(1));

            candidacy.restoreUnseen(earlier).answer();

            assertThat(candidacy.open()).isNull();
        }
    }

    @Nested
    class AnAnswerToNothing {

        @Test
        void anAnswerToNothingIsRefusedIfItIsToAWrite() {
            Candidate stored = candidacy.announced().stored();
            candidacy.withdraw();

            assertThatIllegalStateException()
                    .isThrownBy(() -> candidacy.hear(stored))
                    .withMessageContaining("the answer to a request that is not in flight")
                    .withMessageContaining("CandidacyState[");
        }

        @Test
        void anAnswerToNothingIsRefusedIfItIsToADeletion() {
            candidacy.announce();

            assertThatIllegalStateException()
                    .isThrownBy(candidacy::findDeleted)
                    .withMessageContaining("the answer to a request that is not in flight")
                    .withMessageContaining("CandidacyState[");
        }
    }

    @Nested
    class AnAnnouncement {

        @Test
        void anAnnouncementIsWhatTheFirstWriteWaitsFor() {
            candidacy.after(Duration.ofHours(1));

            assertThat(candidacy.open()).isNull();
            assertThat(candidacy.state().withdrawn()).isTrue();
        }

        @Test
        void anAnnouncementCreatesTheObjectAndIsReportedOnce() {
            candidacy.announced().after(Duration.ofMinutes(11));

            assertThat(stored().renewTime()).isEqualTo(CandidacyDriver.EPOCH);
            assertThat(candidacy.actions(Action.Announced.class)).hasSize(1);
        }

        @Test
        void anAnnouncementRenewsTheObjectThatAFormerProcessOfTheNameHasLeft() {
            Candidate left = candidacy.announced().stored();
            CandidacyDriver next = new CandidacyDriver().restoreUnseen(left);

            next.announce().answer();
            assertThat(next.open()).isInstanceOf(Action.Renew.class);

            next.answer();
            assertThat(next.actions(Action.Announced.class)).hasSize(1);
        }

        @Test
        void anAnnouncementTakesAnObjectOverThatIsThereAlready() {
            CandidacyDriver before = candidacy.announced();

            before.withdraw().lose().announce().after(Duration.ofSeconds(1)).answer();

            assertThat(candidacy.actions(Action.Announced.class)).hasSize(2);
        }

        @Test
        void anAnnouncementIsNotMadeByADirectLock() {
            LockConfig direct = Race.direct("a", null);
            CandidacyState initial = CandidacyState.initial(null);
            Moment now = new Moment(0, Instant.EPOCH);

            assertThatThrownBy(() -> CandidacyMachine.step(direct, initial, new Event.Announce(), now))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("direct lock");
        }

        @Test
        void anAnnouncementThatIsNotAnsweredIsTriedAgainForEverOnceARetryPeriod() {
            candidacy.announce().outage(Duration.ofHours(1));

            assertThat(candidacy.actions(Action.Create.class)).hasSizeBetween(1_790, 1_810);
            assertThat(candidacy.actions(Action.RequestFailed.class))
                    .last()
                    .extracting(Action.RequestFailed::message)
                    .asString()
                    .contains("shop/a could not be announced", "timed out", "2000 ms");
        }

        @Test
        void afterAWithdrawalIsReportedAgain() {
            candidacy.announced().withdraw().answer().announce().answer();

            assertThat(candidacy.stored()).isNotNull();
            assertThat(candidacy.actions(Action.Announced.class)).hasSize(2);
        }

        @Test
        void whileTheDeletionIsUnderWayHasTheLastWord() {
            candidacy.announced().withdraw().announce().answer().answer();

            assertThat(candidacy.stored()).isNotNull();
            assertThat(candidacy.actions(Action.Announced.class)).hasSize(2);
        }
    }

    @Nested
    class ARenewal {

        @Test
        void aRenewalIsMadeAtItsIntervalAndNotBefore() {
            candidacy.announced().after(CandidacyDriver.RENEW_INTERVAL.minusMillis(1));
            assertThat(candidacy.open()).isNull();

            candidacy.after(Duration.ofMillis(1)).answer();
            assertThat(stored().renewTime()).isEqualTo(CandidacyDriver.EPOCH.plus(CandidacyDriver.RENEW_INTERVAL));
            assertThat(candidacy.open()).isNull();
        }

        @Test
        void aRenewalCorrectsAnEditThatWasSeenBeforeItsOwnAnswer() {
            candidacy.announced().priority(7);
            Candidate answer = candidacy.carryOut();
            candidacy.announcedByAnother().hear(answer);
            assertThat(candidacy.open()).as("a write at once").isNull();

            candidacy.after(Duration.ofSeconds(15)).answer();

            assertThat(stored().priority()).isEqualTo(7);
        }

        @Test
        void aRenewalCorrectsAnEditByAProcessOfTheSameNameAfterALeaseDuration() {
            candidacy.announced().priority(7).answer().announcedByAnother();
            assertThat(candidacy.open()).as("a write at once").isNull();
            assertThat(stored().priority()).isNull();

            candidacy.after(Duration.ofSeconds(15)).answer().after(Duration.ofSeconds(15));

            assertThat(stored().priority()).isEqualTo(7);
            assertThat(candidacy.open()).as("another write").isNull();
        }

        @Test
        void aRenewalIsNotTakenBackByAnOlderEventOfTheWatch() {
            candidacy.announced();
            Candidate older = stored();
            candidacy.priority(7).answer();

            CandidacyState state = CandidacyMachine.step(
                            LockDriver.coordinatedConfig("a", "OldestCompatibilityVersion"),
                            candidacy.state(),
                            new Event.Seen(older, false),
                            new Moment(0, candidacy.wall()))
                    .state();

            assertThat(Objects.requireNonNull(state.stored()).resourceVersion()).isEqualTo(stored().resourceVersion());
        }
    }

    @Nested
    class AWriteThatIsStoredOtherwise {

        @Test
        void aWriteThatIsStoredOtherwiseAnnouncesTheCandidateAndIsNotRepeatedBeforeItIsDue() {
            candidacy.announce().answerChangedBy(written -> written.priority(null));

            assertThat(candidacy.actions(Action.Announced.class)).hasSize(1);
            candidacy.after(CandidacyDriver.RENEW_INTERVAL.minusMillis(1));
            assertThat(candidacy.open()).isNull();
            candidacy.after(Duration.ofMillis(1));
            assertThat(candidacy.open()).isNotNull();
        }

        @Test
        void aWriteThatIsStoredOtherwiseThatKeepsThePingBacksOff() {
            candidacy.announced().after(Duration.ofSeconds(7)).ping(candidacy.wall());
            Instant ping = candidacy.wall();
            for (int i = 0; i < 10; i++) {
                candidacy.answerChangedBy(written -> written.pingTime(ping).renewTime(ping.minusSeconds(1)));
                assertThat(candidacy.open()).as("a write at once").isNull();
                candidacy.after(Duration.ofSeconds(20));
            }

            assertThat(candidacy.actions(Action.RequestFailed.class)).hasSize(10);
        }
    }

    @Nested
    class APing {

        @Test
        void aPingIsAcknowledgedAtOnceAndReportedOnce() {
            candidacy
                    .announced()
                    .after(Duration.ofSeconds(7))
                    .ping(candidacy.wall())
                    .answer();

            assertThat(stored().pingTime()).isNull();
            assertThat(stored().renewTime()).isEqualTo(candidacy.wall());
            assertThat(candidacy.actions(Action.ElectionStarted.class)).hasSize(1);
        }

        @Test
        void aPingFromAClockThatIsAheadIsAcknowledgedByItsOwnTime() {
            Instant ahead = candidacy.wall().plusSeconds(3600);

            candidacy.announced().ping(ahead).answer();

            assertThat(stored().renewTime()).isEqualTo(ahead);
            assertThat(stored().ackPending()).isFalse();
        }

        /** As in the native format. */
        @Test
        void aPingThatStaysOnTheObjectIsNotUnacknowledgedByTheNextRenewal() {
            Instant ahead = candidacy.wall().plusSeconds(3600);
            candidacy.announced().ping(ahead).answer().ping(ahead);

            candidacy.after(Duration.ofMinutes(5)).answer();

            assertThat(stored().renewTime()).isEqualTo(ahead.plusNanos(1000));
        }

        @Test
        void aPingWhoseAcknowledgementFailsIsAcknowledgedAgainAndReportedOnce() {
            candidacy
                    .announced()
                    .after(Duration.ofSeconds(7))
                    .ping(candidacy.wall())
                    .lose();
            assertThat(candidacy.open()).as("not at once").isNull();

            candidacy.after(Duration.ofSeconds(1)).answer();

            assertThat(stored().pingTime()).isNull();
            assertThat(candidacy.actions(Action.ElectionStarted.class)).hasSize(1);
        }

        @Test
        void aPingThatComesWhileARenewalIsUnderWayIsAcknowledgedAfterIt() {
            candidacy.announced().after(CandidacyDriver.RENEW_INTERVAL);
            candidacy.ping(candidacy.wall().plusMillis(1));
            assertThat(candidacy.actions(Action.Renew.class)).hasSize(1);

            candidacy.lose().after(Duration.ofSeconds(1)).answer();

            assertThat(stored().pingTime()).isNull();
        }

        @Test
        void aPingThatIsSeenBeforeTheAnswerToAnOlderRenewalIsAcknowledgedAfterIt() {
            candidacy.announced().after(CandidacyDriver.RENEW_INTERVAL);
            Candidate answer = candidacy.carryOut();
            candidacy.ping(candidacy.wall().plusMillis(1));

            candidacy.hear(answer).answer();

            assertThat(stored().pingTime()).isNull();
            assertThat(candidacy.actions(Action.ElectionStarted.class)).hasSize(1);
        }

        @Test
        void aPingIsReportedAgainIfItIsTheSecondOne() {
            candidacy
                    .announced()
                    .after(Duration.ofSeconds(7))
                    .ping(candidacy.wall())
                    .answer();
            candidacy.after(Duration.ofSeconds(9)).ping(candidacy.wall()).answer();

            assertThat(candidacy.actions(Action.ElectionStarted.class)).hasSize(2);
        }

        @Test
        void aPingWhoseAcknowledgementALateWriteHasTakenBackIsAcknowledgedAgainAfterALeaseDuration() {
            candidacy.announced();
            Action first = candidacy.actions(Action.Create.class).get(0);
            candidacy
                    .after(Duration.ofSeconds(7))
                    .ping(candidacy.wall())
                    .answer()
                    .carryOutLate(first);
            assertThat(stored().renewTime()).isEqualTo(CandidacyDriver.EPOCH);

            candidacy.after(Duration.ofSeconds(15)).answer();

            assertThat(stored().renewTime()).isEqualTo(candidacy.wall());
        }
    }

    @Nested
    class ADeletedCandidate {

        @Test
        void aDeletedCandidateIsCreatedAnewAndAnnouncedOnce() {
            candidacy.announced().delete().answer();

            assertThat(candidacy.stored()).isNotNull();
            assertThat(candidacy.actions(Action.Announced.class)).hasSize(1);
        }

        @Test
        void aDeletedCandidateIsCreatedAnewIfItWasDeletedWhileItWasRenewed() {
            candidacy.announced().after(CandidacyDriver.RENEW_INTERVAL).delete().answer();
            candidacy.after(Duration.ofSeconds(1)).answer();

            assertThat(candidacy.stored()).isNotNull();
        }

        @Test
        void aDeletedCandidateIsCreatedAnewOnceItsRenewalFindsNothing() {
            candidacy
                    .announced()
                    .deleteUnseen()
                    .after(CandidacyDriver.RENEW_INTERVAL)
                    .answer();
            assertThat(candidacy.open()).as("not at once").isNull();

            candidacy.after(Duration.ofMillis(250));

            assertThat(candidacy.open()).isInstanceOf(Action.Create.class);
        }

        @Test
        void aDeletedCandidateIsCreatedAnewIfThatIsSeenBeforeTheAnswerToItsCreation() {
            candidacy.announce();
            Candidate answer = candidacy.carryOut();
            candidacy.delete();

            candidacy.hear(answer).answer();

            assertThat(candidacy.stored()).isNotNull();
        }

        @Test
        void aDeletedCandidateIsCreatedAnewIfThatIsSeenAndThenItIsFoundMissingBeforeTheAnswer() {
            candidacy.announce();
            Candidate answer = candidacy.carryOut();
            candidacy.delete().findMissing();

            candidacy.hear(answer).answer();

            assertThat(candidacy.stored()).isNotNull();
        }

        @Test
        void aDeletedCandidateIsCreatedAnewIfAListShowsThatBeforeTheAnswerToItsCreation() {
            candidacy.announce();
            Candidate answer = candidacy.carryOutUnseen();
            candidacy.deleteUnseen().findMissing();

            candidacy.hear(answer).answer();

            assertThat(candidacy.stored()).isNotNull();
        }

        @Test
        void aDeletedCandidateIsNotCreatedTwiceIfItWasFoundMissingBeforeItsCreation() {
            candidacy.announce();
            candidacy.findMissing().answer();

            assertThat(candidacy.open()).isNull();
            assertThat(candidacy.actions(Action.Create.class)).hasSize(1);
        }
    }

    @Nested
    class APriority {

        @Test
        void aPriorityThatChangesIsWrittenAtOnce() {
            candidacy.announced().priority(7).answer();

            assertThat(stored().priority()).isEqualTo(7);
        }

        @Test
        void aPriorityThatChangesWhileAWriteIsUnderWayIsWrittenAfterIt() {
            candidacy.announce().priority(7).answer().answer();

            assertThat(stored().priority()).isEqualTo(7);
            assertThat(candidacy.open()).isNull();
        }

        @Test
        void aPriorityIsAllThatACandidacyKeepsThatBeginsAnew() {
            CandidacyState afresh =
                    candidacy.announced().priority(7).answer().state().afresh();

            assertThat(afresh.stored()).isNull();
            CandidacyMachine.Outcome outcome = CandidacyMachine.step(
                    LockDriver.coordinatedConfig("a", "OldestCompatibilityVersion"),
                    afresh,
                    new Event.Announce(),
                    new Moment(0, candidacy.wall()));
            assertThat(outcome.actions())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Action.Create.class,
                            create -> assertThat(create.candidate().priority()).isEqualTo(7));
        }

        @Test
        void aPriorityCanBeTakenBack() {
            candidacy.announced().priority(7).answer().priority(null).answer();

            assertThat(stored().priority()).isNull();
        }

        @Test
        void aPriorityIsKeptByACandidateThatIsMalformedAndWrittenAnew() {
            candidacy.announced().priority(7).answer().garble().answer();

            assertThat(stored().priority()).isEqualTo(7);
            assertThat(candidacy.open()).isNull();
        }
    }

    @Nested
    class AWithdrawal {

        @Test
        void aWithdrawalDeletesTheObject() {
            candidacy.announced().withdraw();
            assertThat(candidacy.state().withdrawn()).isFalse();

            candidacy.answer();
            assertThat(candidacy.stored()).isNull();
            assertThat(candidacy.state().withdrawn()).isTrue();
            assertThat(candidacy.state().wakeAt()).isEqualTo(LockState.NEVER);
        }

        @Test
        void whileTheCreationIsUnderWayDeletesWhatWasCreated() {
            candidacy.announce().withdraw().answer().answer();

            assertThat(candidacy.stored()).isNull();
            assertThat(candidacy.actions(Action.Announced.class)).isEmpty();
        }

        @Test
        void aWithdrawalThatFailsIsTriedAgain() {
            candidacy.announced().withdraw().lose().after(Duration.ofSeconds(1)).answer();

            assertThat(candidacy.state().withdrawn()).isTrue();
            assertThat(candidacy.actions(Action.RequestFailed.class))
                    .singleElement()
                    .satisfies(failed -> assertThat(failed.message()).contains("could not be withdrawn"));
        }

        @Test
        void aWithdrawalThatHadToWaitForAnAnswerIsMadeHoweverLongThatTook() {
            candidacy.announce().withdraw().after(Duration.ofSeconds(16)).answer();

            assertThat(candidacy.open()).isInstanceOf(Action.Delete.class);
            assertThat(candidacy.state().withdrawn()).isFalse();
        }

        @Test
        void aWithdrawalThatHasFailedIsDoneOnceTheCandidateIsSeenToBeGone() {
            candidacy.announced().withdraw().lose().delete();

            assertThat(candidacy.state().withdrawn()).isTrue();
            assertThat(candidacy.open()).isNull();
        }

        @Test
        void aWithdrawalDeletesACandidateThatWasFoundMissingWhileItsCreationWasUnderWay() {
            candidacy.announce().findMissing().withdraw().lose().after(Duration.ofSeconds(1));

            assertThat(candidacy.open()).isInstanceOf(Action.Delete.class);
        }

        @Test
        void aWithdrawalLeavesTheCandidateStoredUntilItIsDone() {
            candidacy.announced();
            assertThat(candidacy.state().withdrawing()).isFalse();

            candidacy.withdraw();
            assertThat(candidacy.state().withdrawing()).isTrue();
            assertThat(candidacy.state().stored()).isEqualTo(stored());

            candidacy.delete();
            assertThat(candidacy.state().stored()).isNull();
        }

        @Test
        void whileTheApiServerIsAwayIsGivenUpAfterOneRetryPeriod() {
            candidacy.announced().withdraw().outage(Duration.ofMillis(1999));
            assertThat(candidacy.state().withdrawn()).isFalse();
            assertThat(candidacy.actions(Action.Delete.class)).hasSizeGreaterThan(1);

            candidacy.outage(Duration.ofMillis(1));
            assertThat(candidacy.state().withdrawn()).isTrue();
            assertThat(candidacy.state().wakeAt()).isEqualTo(LockState.NEVER);
        }

        @Test
        void aWithdrawalIsGivenUpThenAlsoWhileTheDeletionHasNoAnswer() {
            candidacy.announced().withdraw().after(Duration.ofSeconds(2));

            assertThat(candidacy.open()).isInstanceOf(Action.Delete.class);
            assertThat(candidacy.state().withdrawn()).isTrue();
        }

        @Test
        void aWithdrawalIsGivenUpThenAlsoWhileTheCreationHasNoAnswer() {
            candidacy.announce().withdraw().after(Duration.ofSeconds(2));

            assertThat(candidacy.state().withdrawn()).isTrue();
            assertThat(candidacy.state().wakeAt()).isEqualTo(LockState.NEVER);
        }

        @Test
        void aWithdrawalThatWasGivenUpIsFollowedByACandidacyOnceTheAnswerHasCome() {
            candidacy
                    .announced()
                    .withdraw()
                    .after(Duration.ofSeconds(2))
                    .beginAnew()
                    .announce();
            assertThat(candidacy.actions(Action.Create.class))
                    .as("one request at a time")
                    .hasSize(1);

            candidacy.answer().answer();

            assertThat(candidacy.stored()).isNotNull();
            assertThat(candidacy.state().withdrawing()).isFalse();
        }

        @Test
        void aWithdrawalLeavesTheCandidateAloneThatAnotherProcessOfTheSameNameAnnouncesLater() {
            candidacy.announced().withdraw().answer();

            candidacy.announcedByAnother();

            assertThat(candidacy.open()).isNull();
            assertThat(candidacy.state().withdrawn()).isTrue();
        }

        @Test
        void aWithdrawalDeletesWhatACreationThatIsCarriedOutLaterHasCreated() {
            candidacy.announce();
            Action.Create create = (Action.Create) candidacy.open();
            candidacy.lose().withdraw();

            candidacy.carryOutLate(create).answer();

            assertThat(candidacy.stored()).isNull();
        }
    }

    @Test
    void aCandidateForShardsThatAnOlderSchemaRefusesNamesTheWayOut() {
        LeaseGroup group = new LeaseGroup("shop", "orders", 16);
        LockConfig direct = LockConfig.racing(
                group.lease(0),
                "orders-a",
                new Timings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)),
                Duration.ZERO);
        LockConfig config = new LockConfig(
                direct.lease(),
                direct.identity(),
                direct.timings(),
                direct.drainTimeout(),
                direct.fallback(),
                new LockConfig.Candidacy(
                        Candidate.builder(new ObjectKey("shop", "orders-a"), group)
                                .build(),
                        Duration.ofMinutes(5)),
                null,
                direct.renewTimeStep());
        Moment now = new Moment(0, Instant.EPOCH);
        CandidacyState announcing = CandidacyMachine.step(
                        config, CandidacyState.initial(null), new Event.Announce(), now)
                .state();

        CandidacyMachine.Outcome outcome = CandidacyMachine.step(
                config,
                announcing,
                new Event.WriteDone(new ApiResult.Refused<>(422, "spec.canLeadLease should match …", null)),
                now);

        assertThat(outcome.actions())
                .singleElement()
                .satisfies(action -> assertThat(((Action.RequestFailed) action).message())
                        .contains("spec.canLeadLease should match", "apply the one of the coordinator's version"));
    }
}
