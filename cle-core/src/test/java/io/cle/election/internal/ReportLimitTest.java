package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import io.cle.election.internal.CoordinatorJournal.ReportLimit;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReportLimitTest {

    private final ReportLimit limit = new ReportLimit();
    private Moment now = new Moment(7, Instant.parse("2026-01-01T00:00:00Z"));

    private static IgnoredObject candidate(String namespace, int number) {
        return IgnoredObject.candidate(new ObjectKey(namespace, "orders-" + number));
    }

    private void pass(Duration time) {
        now = new Moment(now.nanos() + time.toNanos(), now.wall().plus(time));
    }

    private long admitted(String namespace, int from, int to) {
        return IntStream.range(from, to)
                .filter(i -> limit.admit(candidate(namespace, i), now).isPresent())
                .count();
    }

    @Test
    void anObjectIsReportedOnceInAPeriodWithWhatWasLeftOut() {
        assertThat(limit.admit(candidate("shop", 1), now)).hasValue("");
        for (int i = 0; i < 9_480; i++) {
            assertThat(limit.admit(candidate("shop", 1), now)).isEmpty();
        }
        pass(ReportLimit.PERIOD.minusNanos(1));
        assertThat(limit.admit(candidate("shop", 1), now)).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(limit.admit(candidate("shop", 1), now))
                .hasValue("; 9481 reports of the namespace shop were left out before this one");
        assertThat(limit.admit(candidate("shop", 2), now)).as("counted once").hasValue("");
    }

    @Test
    void theLastReportOfANamespaceInAPeriodSaysSo() {
        admitted("shop", 1, ReportLimit.PER_NAMESPACE);
        assertThat(limit.admit(candidate("shop", 0), now))
                .hasValue("; further ones of the namespace shop are left out for up to a minute");
    }

    @Test
    void aNamespaceIsReportedAFewTimesInAPeriod() {
        assertThat(admitted("shop", 0, 1000)).isEqualTo(ReportLimit.PER_NAMESPACE);
        assertThat(admitted("office", 0, 1)).as("of another namespace").isOne();
        pass(ReportLimit.PERIOD);
        assertThat(admitted("shop", 0, 1000)).isEqualTo(ReportLimit.PER_NAMESPACE);
    }
}
