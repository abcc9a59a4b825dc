package io.cle.spring.actuate;

import java.time.Instant;
import java.util.Map;

import io.cle.runtime.Clock;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderElectionHealthIndicatorTests {

    private static final Instant NOW = FakeLock.SINCE.plusSeconds(100);

    private final FakeLock lock = new FakeLock("orders");
    private final FakeLock reports = new FakeLock("reports");

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
        return new LeaderElectionHealthIndicator(new LeaseLocks(lock, Map.of("reports", reports)), clock).health();
    }

    @Test
    void isUpWhetherThisProcessLeadsOrNot() {
        assertThat(health().getStatus()).isEqualTo(Status.UP);
        lock.grant();
        assertThat(health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void isOutOfServiceWhenTheApiServerIsAwayForLongerThanARetryPeriod() {
        reports.contact(false, NOW.minusSeconds(2), "connection refused");
        assertThat(health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(health().getDetails().get("leases").toString())
                .contains("orders", "answers", "reports", "connection refused");
    }

    @Test
    void isUpUntilTheNextAttemptHasFailedToo() {
        lock.contact(false, NOW.minusMillis(1999), "connection refused");
        assertThat(health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void isOutOfServiceWhenTheCandidateCanNotBeAnnouncedThoughTheApiServerAnswers() {
        lock.candidacy(false, NOW.minusSeconds(2), "the API server doesn't serve leasecandidates");
        assertThat(health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(health().getDetails().get("leases").toString())
                .contains("apiServer=answers", "doesn't serve leasecandidates");
    }
}
