package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;

import io.cle.lock.LockConfig;
import io.cle.model.Lease;
import io.cle.model.Moment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseWritesTest {

    private static final Moment NOW = new Moment(0, Instant.parse("2026-01-01T10:00:00.7Z"));
    private static final LeaseWrites.Writer WRITER = new LeaseWrites.Writer("n1", "w1");
    private static final LockConfig WHOLE_SECONDS = Race.direct("a", null, Duration.ofSeconds(1));

    @Test
    void twoAcquisitionsWithinOneSecondHaveTermAnnotationsOfTwoTerms() {
        Lease first = LeaseWrites.acquisition(WHOLE_SECONDS, null, WRITER, NOW);
        Lease second = LeaseWrites.acquisition(WHOLE_SECONDS, first, WRITER, NOW);

        assertThat(first.confirmed()).isTrue();
        assertThat(second.confirmed()).isTrue();
        assertThat(second.term()).isNotEqualTo(first.term());
    }

    @Test
    void timesAreWrittenAsTheFormatCanTellThem() {
        Lease claim = LeaseWrites.acquisition(WHOLE_SECONDS, null, WRITER, NOW);

        assertThat(claim.acquireTime()).isEqualTo("2026-01-01T10:00:00Z");
        assertThat(claim.renewTime()).isEqualTo("2026-01-01T10:00:00Z");
    }

    @Test
    void transitionsStayAtTheLargestNumber() {
        Lease exhausted = Lease.builder(Race.direct("a", null).lease())
                .holder("b")
                .acquireTime(NOW.wall())
                .renewTime(NOW.wall())
                .transitions(Integer.MAX_VALUE)
                .endOfTerm("c", null)
                .build();

        assertThat(LeaseWrites.acquisition(WHOLE_SECONDS, exhausted, WRITER, NOW)
                        .transitions())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(LeaseWrites.handOver(WHOLE_SECONDS, exhausted, null, NOW).transitions())
                .isEqualTo(Integer.MAX_VALUE);
    }
}
