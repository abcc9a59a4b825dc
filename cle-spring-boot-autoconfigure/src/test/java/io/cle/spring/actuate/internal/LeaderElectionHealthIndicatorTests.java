package io.cle.spring.actuate.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.cle.Role;
import io.cle.loop.internal.Clock;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.onleader.internal.WorkLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderElectionHealthIndicatorTests {

    private static final Instant NOW = FakeLock.SINCE.plusSeconds(100);

    private final FakeLock lock = new FakeLock("orders");
    private final FakeLock reports = new FakeLock("reports");

    private Function<String, Collection<WorkLog.Status>> work = lease -> List.of();

    @BeforeEach
    void start() {
        lock.start();
        reports.start();
    }

    private Health health() {
        return health(new LeaderElectionHealthProperties("UNKNOWN", "DOWN", "UP"));
    }

    private Health health(LeaderElectionHealthProperties properties) {
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public Instant wall() {
                return NOW;
            }
        };
        return new LeaderElectionHealthIndicator(
                        new LeaseLocks(lock, Map.of("reports", reports)), work, properties, clock)
                .health();
    }

    @Test
    void isUpWhetherThisProcessLeadsOrNot() {
        assertThat(health().getStatus()).isEqualTo(Status.UP);
        lock.grant();
        assertThat(health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void isUpAndSaysWhyWhileNoCandidatesAreServed() {
        lock.uncoordinated("the API server serves no candidates");
        lock.grant();
        assertThat(health().getStatus()).isEqualTo(Status.UP);
        assertThat(health().getDetails().get("leases").toString())
                .contains("uncoordinated=the API server serves no candidates");
    }

    @Test
    void isWhatIsConfiguredWhileDraining() {
        lock.role(Role.DRAINING);
        assertThat(health().getStatus()).isEqualTo(Status.UP);
        assertThat(health(new LeaderElectionHealthProperties("UNKNOWN", "DOWN", "OUT_OF_SERVICE"))
                        .getStatus())
                .isEqualTo(Status.OUT_OF_SERVICE);
    }

    @Nested
    class WhileTheApiServerIsAway {

        @Test
        void isUnknownWhichLeavesTheApplicationInService() {
            reports.contact(false, NOW.minusSeconds(2), "connection refused");
            assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(health().getDetails().get("leases").toString())
                    .contains("orders", "available", "reports", "connection refused");
        }

        @Test
        void isOutOfServiceIfConfiguredSo() {
            reports.contact(false, NOW.minusSeconds(2), "connection refused");
            assertThat(health(new LeaderElectionHealthProperties("OUT_OF_SERVICE", "DOWN", "UP"))
                            .getStatus())
                    .isEqualTo(Status.OUT_OF_SERVICE);
        }

        @Test
        void isUpUntilTheNextAttemptHasFailedToo() {
            lock.contact(false, NOW.minusMillis(1999), "connection refused");
            assertThat(health().getStatus()).isEqualTo(Status.UP);
        }

        @Test
        void isUnknownThoughTheWallClockWasSetBackMeanwhile() {
            lock.contact(false, NOW.plusSeconds(3600), "connection refused");
            assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
        }

        @Test
        void isUpIfTheLockIsNoCandidateAndAsksNothing() {
            reports.role(Role.STOPPED);
            reports.contact(false, NOW.minusSeconds(600), "no answer yet");
            reports.candidacy(false, NOW.minusSeconds(600), "not announced yet");
            assertThat(health().getStatus()).isEqualTo(Status.UP);
            assertThat(health().getDetails().get("leases").toString())
                    .contains("apiServer=not asked")
                    .doesNotContain("unavailable", "no answer yet");
        }

        @Test
        void doesNotSayThatAServerThatRefusesDoesNotAnswer() {
            reports.contact(false, NOW.minusSeconds(2), "the watch of the lease has broken: refused with status 403");
            assertThat(health().getDetails().get("leases").toString())
                    .contains("apiServer=unavailable", "status 403")
                    .doesNotContain("answer");
        }
    }

    @Test
    void countsTheCandidateThatCannotBeAnnouncedThoughTheApiServerAnswers() {
        lock.candidacy(false, NOW.minusSeconds(2), "the API server doesn't serve leasecandidates");
        assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health().getDetails().get("leases").toString())
                .contains("apiServer=available", "doesn't serve leasecandidates");
    }

    @Test
    void countsTheLeaseThatTakesNoWritesThoughTheApiServerAnswers() {
        lock.writes(false, NOW.minusSeconds(2), "refused with status 403: namespace shop is being terminated");
        assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health().getDetails().get("leases").toString())
                .contains("apiServer=available", "writes=refused with status 403", "being terminated");
    }

    @Nested
    class AfterAFailure {

        @Test
        void isDownWhileTheLeadersWorkIsNotDone() {
            work = work(new WorkLog.Status(
                    "worker.work",
                    WorkLog.State.RETRYING,
                    3,
                    0,
                    "java.lang.IllegalStateException: out of paper",
                    NOW,
                    NOW.plusSeconds(4)));
            assertThat(health().getStatus()).isEqualTo(Status.DOWN);
            assertThat(health().getDetails().get("leases").toString())
                    .contains("worker.work", "RETRYING", "failures: 3", "out of paper", "next attempt at");
        }

        @Test
        void isUpAndShowsTheFailureOnceTheWorkRunsAgain() {
            work = work(new WorkLog.Status(
                    "worker.work", WorkLog.State.RUNNING, 3, 0, "IllegalStateException: out of paper", NOW, null));
            assertThat(health().getStatus()).isEqualTo(Status.UP);
            assertThat(health().getDetails().get("leases").toString()).contains("out of paper");
        }
    }

    private static Function<String, Collection<WorkLog.Status>> work(WorkLog.Status... work) {
        return lease -> lease.equals("orders") ? List.of(work) : List.of();
    }
}
