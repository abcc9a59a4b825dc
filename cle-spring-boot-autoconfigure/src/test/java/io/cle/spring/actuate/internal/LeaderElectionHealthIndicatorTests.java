package io.cle.spring.actuate.internal;

import java.time.Instant;
import java.util.List;

import io.cle.LockSnapshot;
import io.cle.Role;
import io.cle.loop.internal.Clock;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import org.assertj.core.api.InstanceOfAssertFactories;
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

    private Leases leases = FakeLock.leases(lock, reports);

    @BeforeEach
    void start() {
        lock.start();
        reports.start();
    }

    private Health health() {
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
        return new LeaderElectionHealthIndicator(leases, clock).health();
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
    void isUpWhileDraining() {
        lock.role(Role.DRAINING);
        assertThat(health().getStatus()).isEqualTo(Status.UP);
    }

    @Nested
    class WhileTheApiServerIsAway {

        @Test
        void isUnknownWhichLeavesTheApplicationInServiceWhileTheApiServerIsAway() {
            reports.contact(false, NOW.minusSeconds(2), "connection refused");
            assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(health().getDetails().get("leases").toString())
                    .contains("orders", "reports", "problem=connection refused (since ");
        }

        @Test
        void isUpUntilTheNextAttemptHasFailedTooWhileTheApiServerIsAway() {
            lock.contact(false, NOW.minusMillis(1999), "connection refused");
            assertThat(health().getStatus()).isEqualTo(Status.UP);
        }

        @Test
        void isUnknownBeforeTheFirstAnswerWhileTheApiServerIsAway() {
            reports.role(Role.STOPPED);
            reports.contact(false, NOW.minusSeconds(2), "connection refused");
            assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(health().getDetails().get("leases").toString()).contains("connection refused");
        }

        @Test
        void isUpIfTheLockIsNoCandidateAndAsksNothingWhileTheApiServerIsAway() {
            reports.role(Role.STOPPED);
            reports.contact(false, NOW.minusSeconds(600), LockSnapshot.Contact.NOT_ASKED);
            reports.candidacy(false, NOW.minusSeconds(600), "not announced yet");
            assertThat(health().getStatus()).isEqualTo(Status.UP);
            assertThat(health().getDetails().get("leases").toString()).doesNotContain("problem");
        }
    }

    @Test
    void describesTheShardThatIsOutOfContactAlsoIfAnotherLeaseIs() {
        lock.writes(false, NOW.minusSeconds(60), "refused with status 403: PATCH orders");
        FakeLock second = new FakeLock("items-2-1");
        second.start();
        second.writes(false, NOW.minusSeconds(60), "refused with status 403: PATCH items-2-1");
        List<ApplicationLease> shards = FakeLock.shards("items", List.of(new FakeLock("items-2-0"), second));
        leases = new Leases(List.of(new ApplicationLease("orders", lock, null), shards.get(0), shards.get(1)));

        assertThat(health().getDetails().get("leases"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .extractingByKey("items")
                .asString()
                .contains("PATCH items-2-1");
    }

    @Test
    void countsTheCandidateThatCannotBeAnnouncedThoughTheApiServerAnswers() {
        lock.candidacy(false, NOW.minusSeconds(2), "the API server doesn't serve leasecandidates");
        assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health().getDetails().get("leases").toString()).contains("doesn't serve leasecandidates");
    }

    @Test
    void countsTheLeaseThatTakesNoWritesThoughTheApiServerAnswers() {
        lock.writes(false, NOW.minusSeconds(2), "refused with status 403: namespace shop is being terminated");
        assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health().getDetails().get("leases").toString())
                .contains("problem=refused with status 403", "being terminated");
    }

    @Nested
    class AfterAFailure {

        private final WorkLog work = new WorkLog("worker.work");

        @BeforeEach
        void fail() {
            leases.get("orders").addWork(List.of(work));
            for (int failures = 0; failures < 3; failures++) {
                work.failed(new IllegalStateException("out of paper"), WorkLog.State.FAILED);
            }
        }

        @Test
        void isDownWhileTheLeadersWorkIsNotDoneAfterAFailure() {
            work.becomes(WorkLog.State.RETRYING);
            assertThat(health().getStatus()).isEqualTo(Status.DOWN);
            assertThat(health().getDetails().get("leases").toString())
                    .contains("worker.work", "RETRYING", "failures: 3", "out of paper");
        }

        @Test
        void isUpAndShowsTheFailureOnceTheWorkRunsAgainAfterAFailure() {
            work.becomes(WorkLog.State.RUNNING);
            assertThat(health().getStatus()).isEqualTo(Status.UP);
            assertThat(health().getDetails().get("leases").toString()).contains("out of paper");
        }
    }
}
