package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;

import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who may acquire a lease without an election, when, and beside whom ({@code safety.md#fallback-race}, {@code #mixed-electors}). */
class LockRaceTest {

    private static final LeaseObservation.Observer STANDBY =
            new LeaseObservation.Observer(Duration.ofSeconds(15), false);

    private static final Duration EXPIRY = Duration.ofSeconds(15);
    private static final Duration WIDEST_JITTER = Duration.ofMillis(150);

    /** safety.md#succession. */
    @Nested
    class ALeaseThatIsGone {

        private final LockDriver lock = LockDriver.direct("a").taken("b", "n2").after(Duration.ofSeconds(10));

        @Test
        void aLeaseThatIsGoneIsWaitedForFromTheLastRenewalIfTheWatchHasMissedNone() {
            lock.delete();

            assertAcquiresOnlyAfter(Duration.ofSeconds(5));
        }

        @Test
        void aLeaseThatIsGoneIsWaitedForFromNowIfItsHolderMayHaveRenewedUnseen() {
            lock.breakWatch().delete().relist();

            assertAcquiresOnlyAfter(EXPIRY);
        }

        @Test
        void aLeaseThatIsGoneIsWaitedForIfItWasFreeAndMayHaveBeenAcquiredUnseen() {
            lock.released().stop().breakWatch().delete().relist().start();

            assertAcquiresOnlyAfter(EXPIRY);
        }

        private void assertAcquiresOnlyAfter(Duration wait) {
            lock.after(wait.minusMillis(1));
            assertThat(lock.writing()).isNull();

            lock.after(WIDEST_JITTER);
            assertThat(lock.writing()).isNotNull();
        }

        /** An administrator has deleted it before this process created another one, and this process's watch lags. */
        @Test
        void aLeaseThatIsGoneIsWaitedForByTheNextTermIfTheWatchShowsItOnlyDuringOnesOwn() {
            LockDriver lock = LockDriver.direct("a").serve(WIDEST_JITTER);
            Lease late = older(
                    lock,
                    TermAnnotation.begun(
                            "n2", "w1", EXPIRY, "b", lock.record().acquireTime(), TermAnnotation.Ended.NOTHING));

            lock.step(new Event.LeaseSeen(late, true));
            loseTerm(lock).serve(EXPIRY.minusMillis(1));
            assertThat(lock.leads()).isFalse();

            lock.serve(WIDEST_JITTER);
            assertThat(lock.leads()).isTrue();
        }

        /** A read was faster than the watch, and returned the bare record with which an administrator had replaced it. */
        @Test
        void aLeaseThatIsGoneIsWaitedForIfTheWatchShowsItAfterWhatHasReplacedIt() {
            LockDriver lock = LockDriver.direct("a").write(lease -> lease);
            Lease late = older(
                    lock, TermAnnotation.begun("n2", "w1", EXPIRY, "b", Instant.EPOCH, TermAnnotation.Ended.NOTHING));

            lock.step(new Event.LeaseSeen(late, true));

            lock.after(EXPIRY.minusMillis(1));
            assertThat(lock.writing()).isNull();
            lock.after(WIDEST_JITTER);
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aLeaseThatIsGoneIsNotWaitedForIfItIsThePresentTermAndTheWatchLags() {
            LockDriver lock = LockDriver.direct("a").taken("b", "n2");
            Lease late = lock.record().toBuilder().resourceVersion("1").build();
            lock.after(Duration.ofSeconds(5));

            lock.step(new Event.LeaseSeen(late, true));

            lock.after(EXPIRY.minusSeconds(5)).after(Duration.ofMillis(150));
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aLeaseThatIsGoneIsNotWaitedForByTheNextTermIfItWasOnesOwn() {
            LockDriver lock = LockDriver.direct("a").serve(WIDEST_JITTER);
            Lease late = older(lock, lock.record().term().withWrite("forgotten"));

            lock.step(new Event.LeaseSeen(late, true));
            loseTerm(lock).serve(WIDEST_JITTER);

            assertThat(lock.leads()).isTrue();
        }

        private static Lease older(LockDriver lock, TermAnnotation term) {
            return lock.record().toBuilder()
                    .resourceVersion("1")
                    .holder(term.holder())
                    .acquireTime(term.acquireTime())
                    .term(term)
                    .build();
        }

        private static LockDriver loseTerm(LockDriver lock) {
            return lock.suspend(Duration.ofHours(1)).step(new Event.Tick()).drained();
        }

        @Test
        void aLeaseThatIsGoneIsNotGoneByADeletionThatIsOlderThanWhatIsKnown() {
            lock.step(new Event.LeaseMissing("1"));

            assertThat(lock.state().lease()).isNotNull();
        }
    }

    @Nested
    class ACandidate {

        // ---- the fallback

        @Test
        void aCandidateRacesOnlyAfterNoCoordinatorHasElectedForTheDelay() {
            LockDriver lock = LockDriver.coordinated("a").after(LockDriver.FALLBACK_DELAY.minusMillis(1));
            assertThat(lock.writing()).isNull();

            lock.after(WIDEST_JITTER).answerWrite();
            assertThat(lock.leads()).isTrue();
            assertThat(lock.record().electedBy()).isEqualTo("candidate-fallback");
            assertThat(lock.record().managed())
                    .as("a coordinator that comes back sees it")
                    .isTrue();
        }

        @Test
        void aCandidateCountsTheDelayFromTheExpiryOfTheLease() {
            LockDriver lock = LockDriver.coordinated("a").taken("b", "n2");

            lock.after(EXPIRY.plus(LockDriver.FALLBACK_DELAY).minusMillis(1));
            assertThat(lock.writing()).isNull();

            lock.after(WIDEST_JITTER);
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aCandidateCountsTheDelayAnewAfterAnElectionOfAnother() {
            LockDriver lock =
                    LockDriver.coordinated("a").after(Duration.ofSeconds(29)).grant("b");

            lock.after(Duration.ofSeconds(44));
            assertThat(lock.writing()).isNull();

            lock.after(Duration.ofSeconds(2));
            assertThat(lock.writing()).isNotNull();
        }

        /** The documented way to end the claim of a record that isn't renewed. */
        @Test
        void aCandidateCountsTheDelayFromAnEditThatEndsALongClaim() {
            LockDriver lock = LockDriver.coordinated("a")
                    .takenByPlain("ghost")
                    .write(lease -> lease.leaseDuration(Duration.ofDays(1)))
                    .after(Duration.ofMinutes(5));

            lock.write(lease -> lease.leaseDuration(Duration.ofSeconds(15))).after(Duration.ofSeconds(29));
            assertThat(lock.writing()).isNull();

            lock.after(Duration.ofSeconds(2));
            assertThat(lock.writing()).isNotNull();
        }

        private LockDriver withoutFallback(String strategy) {
            LockConfig config = LockDriver.coordinatedConfig("a", strategy);
            return LockDriver.of(new LockConfig(
                            config.lease(),
                            config.identity(),
                            config.timings(),
                            config.drainTimeout(),
                            new LockConfig.Fallback(false, LockDriver.FALLBACK_DELAY),
                            config.candidacy(),
                            null,
                            config.renewTimeStep()))
                    .begin();
        }

        @Test
        void withoutFallbackNeverRaces() {
            LockDriver lock = withoutFallback("OldestCompatibilityVersion");

            lock.after(Duration.ofDays(1));

            assertThat(lock.writing()).isNull();
            assertThat(lock.state().wakeAt()).isEqualTo(LockState.NEVER);
        }

        private static List<String> vacancies(LockDriver lock) {
            return lock.actions(Action.Report.class).stream()
                    .map(Action.Report::message)
                    .filter(message -> message.startsWith("no process has led"))
                    .toList();
        }

        @Test
        void withoutFallbackReportsOnceThatNoCoordinatorElects() {
            LockDriver lock = withoutFallback("OldestCompatibilityVersion");
            lock.after(Duration.ofSeconds(29));
            assertThat(vacancies(lock)).isEmpty();

            lock.after(Duration.ofDays(1));

            assertThat(vacancies(lock))
                    .singleElement()
                    .asString()
                    .contains(
                            "no process has led for 30 s",
                            "nobody races for the lease, because the fallback is switched off",
                            "Check that a coordinator runs");
        }

        @Test
        void withoutFallbackReportsAgainOnceAnotherHolderHasExpired() {
            LockDriver lock = withoutFallback("OldestCompatibilityVersion");
            lock.after(Duration.ofMinutes(1));

            lock.grant("b").after(Duration.ofSeconds(44));
            assertThat(vacancies(lock)).hasSize(1);

            lock.after(Duration.ofSeconds(2));
            assertThat(vacancies(lock)).hasSize(2);
        }

        @Test
        void withoutFallbackReportsNothingWhileTheLeaseIsHeldOrRacedFor() {
            LockDriver held = withoutFallback("OldestCompatibilityVersion").grant("b");
            for (int i = 0; i < 20; i++) {
                held.after(Duration.ofSeconds(5)).renewed();
            }
            LockDriver raced = withoutFallback("OldestCompatibilityVersion")
                    .write(lease -> lease.strategy("NoCoordination"))
                    .after(Duration.ofMinutes(1));

            assertThat(vacancies(held)).isEmpty();
            assertThat(vacancies(raced)).isEmpty();
        }

        // ---- NoCoordination

        @Test
        void aCandidateThatWantsNoCoordinationRacesForALeaseThatIsNotThereAtOnce() {
            LockDriver lock = LockDriver.of(LockDriver.coordinatedConfig("a", "NoCoordination"))
                    .begin();

            lock.after(WIDEST_JITTER);

            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aCandidateRacesForALeaseThatSaysNoCoordinationWhateverItAsksFor() {
            LockDriver lock = LockDriver.coordinated("a").write(lease -> lease.strategy("NoCoordination"));

            lock.after(WIDEST_JITTER);

            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void withoutFallbackRacesForALeaseThatSaysNoCoordination() {
            LockDriver lock =
                    withoutFallback("OldestCompatibilityVersion").write(lease -> lease.strategy("NoCoordination"));

            lock.after(WIDEST_JITTER);

            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void
                aCandidateThatWantsNoCoordinationRacesWithoutFallbackWhereTheLeaseHasTheStrategyOfACoordinatorThatIsGone() {
            LockDriver lock =
                    withoutFallback("NoCoordination").write(lease -> lease.strategy("OldestCompatibilityVersion"));

            lock.after(LockDriver.FALLBACK_DELAY.plus(WIDEST_JITTER));

            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aCandidateDoesNotRaceForALeaseThatIsCoordinatedWhateverItAsksFor() {
            LockDriver lock = LockDriver.of(LockDriver.coordinatedConfig("a", "NoCoordination"));
            lock.start().write(lease -> lease.strategy("OldestCompatibilityVersion"));

            lock.after(LockDriver.FALLBACK_DELAY.minusMillis(1));

            assertThat(lock.writing()).isNull();
        }

        @Test
        void aCandidateThatLosesTheRaceAndDoesNotSeeWhichOneHasWonReadsIt() {
            LockDriver lock = LockDriver.direct("a")
                    .after(Duration.ofMillis(20))
                    .breakWatch()
                    .taken("b", "n2");

            lock.answerWrite().after(Duration.ofSeconds(2)).answerRead();

            assertThat(lock.leads()).isFalse();
            assertThat(lock.state().lease()).extracting(Lease::holder).isEqualTo("b");
            assertThat(lock.writing()).isNull();
        }

        // ---- beside other electors

        @Test
        void aCandidateThatIsNamedWhileAPlainHolderMayLeadWaitsForIt() {
            LockDriver lock = LockDriver.coordinated("a").takenByPlain("plain").after(Duration.ofSeconds(3));
            lock.renewed().write(lease -> lease.holder("a").renewTime(Instant.EPOCH));

            lock.after(EXPIRY.minusMillis(1));
            assertThat(lock.writing()).isNull();

            lock.after(Duration.ofMillis(1));
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aCandidateMakesItsFirstAttemptAtAnotherTimeThanMostOthers() {
            List<Long> attempts = IntStream.range(0, 50)
                    .mapToObj(i -> LockDriver.direct("orders-" + i).takenByPlain("plain"))
                    .map(lock -> lock.state().wakeAt() - EXPIRY.toNanos())
                    .toList();

            assertThat(attempts).allSatisfy(at -> assertThat(at).isBetween(0L, WIDEST_JITTER.toNanos()));
            assertThat(attempts.stream().map(at -> at / 1_000_000).distinct()).hasSizeGreaterThan(30);
        }
    }

    @Nested
    class ADirectLock {

        @Test
        void aDirectLockAcquiresAFreeLeaseAtOnceWithoutElectedBy() {
            LockDriver lock =
                    LockDriver.direct("a").after(Duration.ofMillis(20)).answerWrite();

            assertThat(lock.leads()).isTrue();
            assertThat(lock.record().electedBy()).isNull();
            assertThat(lock.record().managed()).isFalse();
            assertThat(lock.record().transitions())
                    .as("of a lease that was never held")
                    .isZero();
        }

        @Test
        void aDirectLockWaitsAHeldLeaseOutByItsOwnDurationFromTheLastRenewalThatItSaw() {
            LockDriver lock = LockDriver.direct("a")
                    .write(lease -> lease.holder("plain")
                            .leaseDuration(Duration.ofSeconds(60))
                            .renewTime(Instant.EPOCH)
                            .acquireTime(Instant.EPOCH))
                    .after(Duration.ofSeconds(30))
                    .renewed();

            lock.after(Duration.ofSeconds(60).minusMillis(1));
            assertThat(lock.writing()).isNull();

            lock.after(WIDEST_JITTER);
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aDirectLockAcquiresAReleasedLeaseWithinMilliseconds() {
            LockDriver lock = LockDriver.direct("a").takenByPlain("plain").after(Duration.ofSeconds(1));
            lock.released().after(Duration.ofMillis(20));

            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aDirectLockCountsATransitionWhenItFollowsAnotherHolder() {
            LockDriver lock = LockDriver.direct("a").takenByPlain("plain");
            int before = lock.record().transitions();

            lock.after(EXPIRY.plus(WIDEST_JITTER)).answerWrite();

            assertThat(lock.record().transitions()).isEqualTo(before + 1);
        }
    }

    @Nested
    class AStandby {

        @Test
        void aStandbyTouchesNoLeaseOfWhichNothingIsKnown() {
            LockDriver lock = LockDriver.of(Race.direct("a", null)).start().after(Duration.ofHours(1));

            assertThat(lock.writing()).isNull();
            assertThat(lock.reading()).isFalse();
        }

        // ---- requests of a standby

        @Test
        void aStandbyAsksForNothingWhileAnotherLeads() {
            LockDriver lock = LockDriver.coordinated("a").taken("b", "n2");
            for (int i = 0; i < 1200; i++) {
                lock.after(Duration.ofSeconds(3)).renewed();
            }

            assertThat(lock.actions(Action.WriteLease.class)).isEmpty();
            assertThat(lock.actions(Action.ReadLease.class)).isEmpty();
        }

        @Test
        void aStandbyLooksOnceForAnElectionThatTheWatchDoesNotShow() {
            LockDriver lock =
                    LockDriver.coordinated("a").breakWatch().hearOfElection().grant("a");
            lock.after(Duration.ofMillis(1999));
            assertThat(lock.reading()).isFalse();

            lock.after(Duration.ofMillis(1)).answerRead().answerWrite();
            assertThat(lock.leads()).isTrue();
            assertThat(lock.actions(Action.ReadLease.class)).hasSize(1);
        }

        @Test
        void aStandbyDoesNotLookForAnElectionThatTheWatchShows() {
            LockDriver lock =
                    LockDriver.coordinated("a").hearOfElection().grant("b").after(Duration.ofSeconds(5));

            assertThat(lock.actions(Action.ReadLease.class)).isEmpty();
        }

        // ---- refused writes

        @Test
        void aStandbyWaitsAsLongAsItIsAskedTo() {
            LockDriver lock = LockDriver.direct("a").after(Duration.ofMillis(20));
            lock.endWrite(new ApiResult.Refused<>(429, "too many requests", Duration.ofSeconds(7)));

            lock.after(Duration.ofMillis(6999));
            assertThat(lock.writing()).isNull();

            lock.after(Duration.ofMillis(1));
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aStandbyThatIsAlwaysRefusedAsksLessAndLessOften() {
            LockDriver lock = LockDriver.direct("a").after(Duration.ofMillis(20));
            for (int i = 0; i < 20; i++) {
                lock.endWrite(new ApiResult.Refused<>(403, "forbidden", null)).after(Duration.ofSeconds(15));
            }

            assertThat(lock.actions(Action.WriteLease.class)).hasSize(21);
            assertThat(lock.reports()).last().asString().contains("403", "15000 ms");
        }

        @Test
        void aStandbyTriesACreationInANamespaceThatIsNotThereAgainWithBackOff() {
            LockDriver lock = LockDriver.direct("a").after(Duration.ofMillis(20));
            lock.endWrite(new ApiResult.Gone<>("namespaces \"shop\" not found"));
            assertThat(lock.writing()).as("at once").isNull();

            lock.after(Duration.ofSeconds(1));
            assertThat(lock.writing()).isNotNull();
        }

        @Test
        void aStandbyReadsNothingAfterAnOlderEventOfTheSameWatch() {
            LockDriver lock = LockDriver.coordinated("a").taken("b", "n2");
            Lease older = lock.record();

            lock.renewed().step(new Event.LeaseSeen(older, true));

            assertThat(lock.reading()).isFalse();
            assertThat(lock.state().lease()).isEqualTo(lock.record());
        }
    }

    @Nested
    class ARenewal {

        // ---- what others see

        @Test
        void aRenewalCanBeToldFromTheOneBeforeAlsoInAFormatOfWholeSeconds() {
            LockConfig micro = Race.direct("a", null);
            LockConfig seconds = new LockConfig(
                    micro.lease(),
                    micro.identity(),
                    micro.timings(),
                    micro.drainTimeout(),
                    micro.fallback(),
                    null,
                    null,
                    Duration.ofSeconds(1));
            LockDriver lock = LockDriver.of(seconds).begin().after(Duration.ofMillis(700));
            lock.answerWrite();
            for (int i = 0; i < 5; i++) {
                Lease before = lock.record();
                lock.askToYield("a").after(Duration.ofSeconds(3)).answerWrite();
                assertThat(lock.record().renewTime())
                        .isAfterOrEqualTo(before.renewTime().plusSeconds(1));
                assertThat(lock.record().renewTime())
                        .isEqualTo(lock.record().renewTime().truncatedTo(ChronoUnit.SECONDS));
                assertThat(lock.record().confirmed()).isTrue();
            }
        }

        @Test
        void aRenewalCanBeToldFromTheGrantBeforeIt() {
            LockDriver lock = LockDriver.coordinated("a").grant("a");
            LeaseObservation before = LeaseObservation.first(lock.record(), lock.now(), STANDBY);

            lock.answerWrite();

            LeaseObservation after = before.seen(lock.record(), lock.now(), true, STANDBY);
            assertThat(before.busyUntil()).isEqualTo(before.seenAt());
            assertThat(after.busyUntil()).isEqualTo(lock.now().plus(EXPIRY));
        }

        @Test
        void aRenewalIsFollowedByAHandOverWhenALeaderThatWasNotElectedIsAskedToYield() {
            LockDriver lock = LockDriver.direct("a")
                    .after(Duration.ofMillis(20))
                    .answerWrite()
                    .askToYield("b");

            assertThat(lock.leads()).isFalse();
        }
    }

    @Nested
    class TheHolder {

        // ---- who leads, on a follower

        @Test
        void theHolderIsReportedOnceWheneverItChanges() {
            LockDriver lock = LockDriver.coordinated("a")
                    .taken("b", "n2")
                    .renewed()
                    .released()
                    .taken("c", "n3")
                    .delete();

            assertThat(lock.actions(Action.LeaderChanged.class))
                    .extracting(Action.LeaderChanged::holder)
                    .containsExactly("b", null, "c", null);
        }

        @Test
        void theHolderIsReportedAfterTheTerm() {
            LockDriver lock = LockDriver.coordinated("a").grant("a");
            assertThat(lock.actions(Action.LeaderChanged.class)).isEmpty();

            lock.answerWrite();

            assertThat(lock.actions())
                    .filteredOn(action -> action instanceof Action.Grant || action instanceof Action.LeaderChanged)
                    .hasExactlyElementsOfTypes(Action.Grant.class, Action.LeaderChanged.class);
        }

        @Test
        void theHolderIsReportedAfterAnAcquisitionInVain() {
            LockDriver lock = LockDriver.coordinated("a").grant("a").taken("b", "n2");
            assertThat(lock.actions(Action.LeaderChanged.class)).isEmpty();

            lock.answerWrite();

            assertThat(lock.actions(Action.LeaderChanged.class))
                    .extracting(Action.LeaderChanged::holder)
                    .containsExactly("b");
        }
    }
}
