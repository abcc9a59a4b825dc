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
    private static final LockConfig WHOLE_SECONDS = Race.direct("a", null, Duration.ofSeconds(1));

    @Test
    void twoClaimsWithinOneSecondAreMarkedAsTwoTerms() {
        Lease first = LeaseWrites.acquisition(WHOLE_SECONDS, null, "n1", NOW);
        Lease second = LeaseWrites.acquisition(WHOLE_SECONDS, first, "n1", NOW);

        assertThat(first.confirmed()).isTrue();
        assertThat(second.confirmed()).isTrue();
        assertThat(second.term()).isNotEqualTo(first.term());
    }

    @Test
    void timesAreWrittenAsTheFormatCanTellThem() {
        Lease claim = LeaseWrites.acquisition(WHOLE_SECONDS, null, "n1", NOW);

        assertThat(claim.acquireTime()).isEqualTo("2026-01-01T10:00:00Z");
        assertThat(claim.renewTime()).isEqualTo("2026-01-01T10:00:00Z");
    }
}
