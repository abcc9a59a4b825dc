package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.cle.LockSnapshot;
import io.cle.RevokeReason;
import io.cle.Timings;
import io.cle.loop.internal.Clock;
import io.cle.loop.internal.LeaseLines;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;

class LockJournalTest {

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLock.class);

    private static final Lease HELD =
            Lease.builder(new ObjectKey("shop", "orders")).holder("b").build();

    private long nanos;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant wall() {
            return now;
        }
    };
    private final LeaseLines lines = new LeaseLines(LoggerFactory.getLogger(LeaseLock.class), new VirtualLoop());
    private final LockJournal journal = journal(new ObjectKey("shop", "orders"), clock, lines);

    static LockJournal journal(ObjectKey lease, Clock clock, LeaseLines lines) {
        LockConfig config = LockConfig.racing(lease, "a", Timings.DEFAULT, Duration.ofSeconds(30));
        return new LockJournal(config, lease, clock, lines);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        now = now.plus(time);
    }

    @Nested
    class AnOutage {

        @Test
        void anOutageIsAHandfulOfLinesForTwoHundredLeases() {
            List<LockJournal> journals = IntStream.range(0, 200)
                    .mapToObj(i -> journal(new ObjectKey("shop", "lease-" + i), clock, lines))
                    .toList();
            journals.forEach(LockJournal::answered);
            for (LockJournal each : journals) {
                each.failed("GET /apis/leases/" + journals.indexOf(each) + ": connection refused");
                each.report("the lease could not be renewed for 10 s");
                each.candidacyFailed("the candidate can't be announced", Level.WARN);
            }
            journals.forEach(LockJournal::answered);
            journals.forEach(LockJournal::candidacyWorks);

            assertThat(log.lines()).hasSize(3 * 3);
            assertThat(journals.get(150).entries())
                    .as("the endpoint has all of them")
                    .hasSize(3);
        }

        @Test
        void anOutageIsMeasuredWithoutTheWallClockWhichMayBeSetMeanwhile() {
            journal.answered();
            journal.failed("GET /a: timeout");
            pass(Duration.ofSeconds(12));
            now = now.minus(Duration.ofHours(1));
            journal.answered();

            assertThat(log.lines().get(1)).endsWith("can use the API server again after 12 s");
        }

        @Test
        void anOutageIsOneLineWhenItBeginsAndOneWhenItEnds() {
            journal.answered();
            journal.failed("GET /a: timeout");
            journal.failed("GET /b: timeout");
            pass(Duration.ofSeconds(12));
            journal.answered();
            journal.answered();

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Lease shop/orders: the API server can't be used: GET /a: timeout",
                            "INFO Lease shop/orders: can use the API server again after 12 s");
        }

        @Test
        void anOutageIsOneLineWhateverItsReasonsAndTheContactHasTheLastOne() {
            journal.answered();
            journal.failed("GET /b: stream was reset");
            journal.failed("GET /b: PKIX path validation failed");

            assertThat(log.lines())
                    .containsExactly("WARN Lease shop/orders: the API server can't be used: GET /b: stream was reset");
            assertThat(journal.contact().problem()).contains("PKIX path validation failed");
        }

        @Test
        void anOutageIsReportedIfItBeganBeforeTheProcess() {
            journal.failed("connection refused");

            assertThat(log.lines())
                    .containsExactly("WARN Lease shop/orders: the API server can't be used: connection refused");
        }

        @Test
        void anOutageIsNotReportedAsNoAnswerIfTheServerRefuses() {
            journal.answered();
            journal.failed("the watch of the lease has broken: refused with status 403");

            assertThat(log.lines().get(0)).contains("status 403").doesNotContain("answer");
        }

        @Test
        void anOutageGoesOnWhileTheServerRefusesTheCredentials() {
            journal.failed("the watch of the lease has broken: GET /a: unauthorized");
            journal.heard(new ApiResult.Refused<>(401, "GET /a: unauthorized", null));

            assertThat(journal.contact().ok()).isFalse();
            assertThat(journal.contact().problem()).contains("unauthorized");
            assertThat(log.lines()).hasSize(1);
        }

        @Test
        void anOutageEndsWithARefusalOfOneRequest() {
            journal.failed("GET /a: timeout");
            journal.heard(new ApiResult.Refused<>(403, "PATCH /a: forbidden", null));

            assertThat(journal.contact().ok()).isTrue();
        }

        @Test
        void anOutageIsCountedFromWhenTheLockJoins() {
            pass(Duration.ofMinutes(5));
            journal.joins();

            assertThat(journal.contact().ok()).isFalse();
            assertThat(journal.contact().since()).isEqualTo(now);
            assertThat(journal.candidacy().since()).isEqualTo(now);
        }
    }

    @Nested
    class AWatchThatFailsWhileListsSucceed {

        @Test
        void aWatchThatFailsWhileListsSucceedIsOneLineUntilItRecovers() {
            journal.answered();
            for (int i = 0; i < 42; i++) {
                journal.watchFailsAgain(LockJournal.Problem.LEASE_WATCH, "GET /a: too old resource version: " + i);
                journal.answered();
                journal.wrote(new ApiResult.Ok<>("orders"));
                pass(Duration.ofSeconds(1));
            }
            journal.end(LockJournal.Problem.LEASE_WATCH);

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Lease shop/orders: can't be watched; falling back to lists:"
                                    + " GET /a: too old resource version: 0",
                            "INFO Lease shop/orders: can be watched again after 42 s");
            assertThat(journal.contact().ok()).isTrue();
        }

        @Test
        void aWatchThatFailsWhileListsSucceedIsReportedForTheLeaseAndForTheCandidate() {
            journal.watchFailsAgain(LockJournal.Problem.LEASE_WATCH, "GET /a: no leader");
            journal.watchFailsAgain(LockJournal.Problem.CANDIDATE_WATCH, "GET /b: no leader");
            journal.end(LockJournal.Problem.CANDIDATE_WATCH);
            journal.watchFailsAgain(LockJournal.Problem.LEASE_WATCH, "GET /a: no leader");

            assertThat(log.lines()).hasSize(3);
        }
    }

    @Nested
    class ACandidateThatIsStoredOtherwise {

        private final Candidate candidate = Candidate.builder(
                        new ObjectKey("shop", "orders-a"), new ObjectKey("shop", "orders"))
                .build();
        private final ApiResult<Candidate> changed =
                new ApiResult.Changed<>(candidate, "PATCH /orders-a: spec.priority is missing");

        @Test
        void aCandidateThatIsStoredOtherwiseIsReportedOnceByTheFieldsName() {
            journal.announced(changed);
            journal.candidacyWorks();
            journal.announced(changed);

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN Lease shop/orders: the candidate is stored otherwise than it was written, by an"
                            + " older CRD,")
                    .endsWith("PATCH /orders-a: spec.priority is missing");
        }

        @Test
        void aCandidateThatIsStoredOtherwiseIsShownUntilItIsStoredAsItWasWritten() {
            journal.announced(changed);
            journal.candidacyWorks();
            journal.announced(new ApiResult.Conflict<>("it has changed"));

            assertThat(journal.candidacy().ok()).isFalse();
            assertThat(journal.candidacy().problem()).contains("spec.priority is missing");

            journal.announced(new ApiResult.Ok<>(candidate));

            assertThat(journal.candidacy().ok()).isTrue();
        }
    }

    @Nested
    class AWriteOfTheLease {

        private final ApiResult<?> forbidden = new ApiResult.Refused<>(403, "POST /leases: forbidden", null);

        @Test
        void aWriteOfTheLeaseIsNotJudgedBeforeTheFirstOne() {
            journal.answered();

            assertThat(journal.writes()).isNull();
        }

        @Test
        void aWriteOfTheLeaseThatIsRefusedIsAProblemSinceTheFirstOneThatWas() {
            journal.wrote(new ApiResult.Ok<>("orders"));
            Instant since = now.plusSeconds(3);
            pass(Duration.ofSeconds(3));
            journal.wrote(forbidden);
            pass(Duration.ofSeconds(3));
            journal.wrote(new ApiResult.OutcomeUnknown<>("PATCH /leases: timeout"));

            assertThat(journal.writes()).isNotNull();
            assertThat(journal.writes().ok()).isFalse();
            assertThat(journal.writes().since()).isEqualTo(since);
            assertThat(journal.writes().problem()).contains("timeout");
        }

        @Test
        void aWriteOfTheLeaseThatSucceedsEndsTheProblem() {
            journal.wrote(forbidden);
            pass(Duration.ofSeconds(3));
            journal.wrote(new ApiResult.Ok<>("orders"));

            assertThat(journal.writes()).isEqualTo(new LockSnapshot.Contact(true, now, null));
        }

        @Test
        void aWriteOfTheLeaseThatComesTooLateIsNoProblem() {
            journal.wrote(new ApiResult.Conflict<>("PATCH /leases: modified"));

            assertThat(journal.writes()).isNull();
        }

        @Test
        void aWriteOfTheLeaseThatFailsAgainAndAgainWhileReadsSucceedIsNoOutageAfterTheFirstTime() {
            ApiResult<?> webhook = new ApiResult.OutcomeUnknown<>("status 500: PATCH /leases: failed calling webhook");
            journal.answered();
            for (int i = 0; i < 5; i++) {
                journal.wrote(webhook);
                journal.begin(LockJournal.Problem.LEASE, Level.WARN, "outcome unknown; trying again");
                pass(Duration.ofSeconds(1));
                journal.read(new ApiResult.Ok<>("orders"));
            }

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Lease shop/orders: the API server can't be used: status 500: PATCH /leases: failed"
                                    + " calling webhook",
                            "INFO Lease shop/orders: can use the API server again after 1 s",
                            "WARN Lease shop/orders: outcome unknown; trying again");
            assertThat(journal.contact().ok()).isTrue();
            assertThat(journal.writes()).isNotNull();
            assertThat(journal.writes().ok()).isFalse();
        }

        @Test
        void aWriteOfTheLeaseThatFailsLikeAReadIsAnOutage() {
            journal.answered();
            journal.wrote(new ApiResult.OutcomeUnknown<>("PATCH /leases: timeout"));
            journal.read(new ApiResult.OutcomeUnknown<>("GET /leases: timeout"));
            journal.wrote(new ApiResult.OutcomeUnknown<>("PATCH /leases: timeout"));

            assertThat(journal.contact().ok()).isFalse();
        }

        @Test
        void ofAnotherHolderEndsTheProblem() {
            journal.wrote(forbidden);
            journal.writtenByAnother(HELD);

            assertThat(journal.writes()).isNull();
        }

        @Test
        void aWriteOfTheLeaseThatWasStoredOtherwiseIsOneLineHoweverOftenOthersMeetTheSame() {
            for (int attempt = 0; attempt < 5; attempt++) {
                ApiResult<Lease> changed = new ApiResult.Changed<>(HELD, "the term annotation is missing");
                journal.wrote(changed);
                journal.begin(LockJournal.Problem.LEASE, Level.WARN, changed.describe() + "; trying again");
                journal.writtenByAnother(HELD);
                journal.read(new ApiResult.Ok<>(HELD));
            }

            assertThat(log.lines()).singleElement().asString().contains("the term annotation is missing");
            assertThat(journal.writes()).isNotNull();
            assertThat(journal.writes().problem()).contains("the term annotation is missing");
        }

        @Test
        void aWriteOfTheLeaseThatWasStoredOtherwiseIsNoProblemOnceAnotherProcessLeads() {
            journal.wrote(new ApiResult.Changed<>(HELD, "the term annotation is missing"));
            Instant acquired = Instant.parse("2026-01-01T00:00:00Z");
            journal.writtenByAnother(HELD.toBuilder()
                    .acquireTime(acquired)
                    .term(TermAnnotation.begun(
                            "n", "w", Duration.ofSeconds(15), "b", acquired, TermAnnotation.Ended.NOTHING))
                    .build());

            assertThat(journal.writes()).isNull();
        }
    }

    @Nested
    class Candidacy {

        @Test
        void theCandidacyIsNotReportedWhenItIsAnnouncedForTheFirstTime() {
            assertThat(journal.candidacy().ok()).isFalse();
            assertThat(journal.candidacy().problem()).isEqualTo("not announced yet");
            journal.candidacyPending();
            journal.candidacyWorks();

            assertThat(journal.candidacy().ok()).isTrue();
            assertThat(log.lines()).isEmpty();
        }

        @Test
        void theCandidacyThatFailsFromTheBeginningIsReportedOnce() {
            journal.candidacyFailed("refused with status 403", Level.WARN);
            journal.candidacyFailed("refused with status 403", Level.WARN);
            pass(Duration.ofSeconds(3));
            journal.candidacyWorks();

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Lease shop/orders: refused with status 403",
                            "INFO Lease shop/orders: can announce a candidate again after 3 s");
        }
    }

    @Nested
    class ARequestThatIsTriedAgain {

        private static final ApiResult<String> FORBIDDEN = new ApiResult.Refused<>(403, "forbidden", null);

        @Test
        void aRequestThatIsTriedAgainIsOneLineHoweverOftenAndForWhateverReasonItIsRefused() {
            fails(FORBIDDEN, 1);
            fails(new ApiResult.Refused<>(429, "too many requests", null), 2);

            assertThat(log.lines()).containsExactly("WARN Lease shop/orders: failure 1");
        }

        @Test
        void aRequestThatIsTriedAgainIsALineAgainIfItHasSucceededMeanwhile() {
            fails(FORBIDDEN, 1);
            pass(Duration.ofSeconds(2));
            journal.read(new ApiResult.Ok<>("lease"));
            fails(FORBIDDEN, 1);

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Lease shop/orders: failure 1",
                            "INFO Lease shop/orders: can be read and written again after 2 s",
                            "WARN Lease shop/orders: failure 1");
        }

        @Test
        void aRequestThatIsTriedAgainIsNoLineBesideThatOfTheOutage() {
            journal.answered();
            fails(new ApiResult.OutcomeUnknown<>("GET /a: timeout"), 1);
            fails(new ApiResult.OutcomeUnknown<>("GET /b: timeout"), 2);

            assertThat(log.lines())
                    .containsExactly("WARN Lease shop/orders: the API server can't be used: GET /a: timeout");
        }

        @Test
        void aRequestThatIsTriedAgainKeepsNoOtherWarningFromBeingLogged() {
            journal.report("yielded 3 times in a row");
            journal.report("yielded 3 times in a row");

            assertThat(log.lines()).hasSize(2);
        }

        private void fails(ApiResult<String> result, int failures) {
            journal.read(result);
            journal.begin(LockJournal.Problem.LEASE, Level.WARN, "failure " + failures);
        }
    }

    @Nested
    class ACandidate {

        @Test
        void aCandidateIsOneLineUntilItCanBeAnnounced() {
            journal.candidacyFailed("can't be announced: forbidden", Level.WARN);
            journal.begin(LockJournal.Problem.CANDIDATE, Level.WARN, "could not be announced: forbidden; trying again");
            journal.candidacyFailed("can't be announced: not served", Level.WARN);

            assertThat(log.lines()).containsExactly("WARN Lease shop/orders: can't be announced: forbidden");
        }

        @Test
        void aCandidateIsReportedAgainIfItCouldBeAnnouncedMeanwhile() {
            journal.candidacyFailed("can't be announced: forbidden", Level.WARN);
            journal.read(new ApiResult.Ok<>("the lease alone"));
            journal.candidacyFailed("can't be announced: forbidden", Level.WARN);
            assertThat(log.lines()).hasSize(1);

            journal.candidacyWorks();
            journal.candidacyFailed("can't be announced: forbidden", Level.WARN);
            assertThat(log.lines()).hasSize(3);
        }
    }

    @Nested
    class Leadership {

        @Test
        void leadershipThatIsLostAtTheDeadlineIsAWarningWithTheDeadline() {
            journal.termEnded(RevokeReason.RENEW_DEADLINE);

            assertThat(log.lines())
                    .containsExactly("WARN Lease shop/orders: leadership lost: no renewal succeeded within the renew"
                            + " deadline (10 s)");
        }

        @Test
        void leadershipThatEndsAsAskedForIsNoWarning() {
            journal.termEnded(RevokeReason.END_OF_TERM);

            assertThat(log.lines()).containsExactly("INFO Lease shop/orders: no longer leads (END_OF_TERM)");
        }
    }

    @Test
    void theFirstAnswerIsNoNews() {
        journal.answered();

        assertThat(log.lines()).isEmpty();
    }
}
