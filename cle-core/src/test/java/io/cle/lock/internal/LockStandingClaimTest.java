package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.cle.lock.internal.LockMachine.Action;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A record that isn't renewed keeps a lease claimed for long ({@code ghost-lease.yaml}, safety.md#administrators-line). */
class LockStandingClaimTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final LockDriver lock = LockDriver.direct("a");

    private void ghostHolds(Duration duration) {
        lock.write(lease -> lease.holder("ghost")
                .acquireTime(Instant.EPOCH)
                .renewTime(Instant.EPOCH)
                .leaseDuration(duration));
    }

    private List<Action.ReportClaim> reports() {
        return lock.actions(Action.ReportClaim.class);
    }

    @Test
    void isReportedOnceAfterALeaseDurationWithUntilWhenAndByWhichRecord() {
        ghostHolds(DAY);
        lock.after(Duration.ofSeconds(14));
        assertThat(reports()).isEmpty();

        lock.after(Duration.ofHours(1));

        assertThat(reports())
                .singleElement()
                .extracting(report -> report.observation()
                        .describeClaim(Instant.parse("2026-01-02T00:00:00Z"), Optional.of("kubectl patch …")))
                .asString()
                .contains(
                        "2026-01-02T00:00:00Z",
                        "'ghost'",
                        "version 101",
                        "86400 s",
                        "kubectl patch …",
                        "two will lead");
    }

    @Test
    void isReportedAnewOnceARenewedRecordStandsAgain() {
        ghostHolds(DAY);
        lock.after(Duration.ofMinutes(1));
        lock.write(lease -> lease.renewTime(Instant.EPOCH.plusSeconds(1)));
        lock.after(Duration.ofMinutes(1));

        assertThat(reports()).hasSize(2);
    }

    @Test
    void isReportedAlsoIfTheLeaseIsGone() {
        lock.taken("b", "n2");
        lock.write(lease -> lease.term(io.cle.model.internal.TermAnnotation.begun(
                "n2", "w", DAY, "b", lease.build().acquireTime(), io.cle.model.internal.TermAnnotation.Ended.NOTHING)));
        lock.delete().after(Duration.ofMinutes(1));

        assertThat(reports())
                .singleElement()
                .extracting(report -> report.observation().describeClaim(Instant.EPOCH, Optional.empty()))
                .asString()
                .contains("before it was deleted", "create the lease without a holder");
    }

    @Test
    void isNotReportedOfAHolderThatRenews() {
        lock.takenByPlain("b").write(lease -> lease.leaseDuration(Duration.ofMinutes(2)));
        for (int i = 0; i < 20; i++) {
            lock.after(Duration.ofSeconds(10)).renewed();
        }

        assertThat(reports()).isEmpty();
    }

    @Test
    void isNotReportedOfOneThatCrashesAndExpiresInTime() {
        lock.takenByPlain("b").after(Duration.ofSeconds(14));

        assertThat(reports()).isEmpty();
    }
}
