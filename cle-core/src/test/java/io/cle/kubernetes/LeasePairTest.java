package io.cle.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;
import io.cle.model.ObjectKey;
import io.cle.model.TermMark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeasePairTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
    private static final Moment LONG_BEFORE = new Moment(0, TEN);
    private static final Moment NOW = new Moment(Duration.ofMinutes(1).toNanos(), TEN.plusSeconds(60));

    /** Nobody holds it, and an administrator has made that so: the one who did may lead on. */
    private static final Lease CLEARED = Lease.builder(ORDERS)
            .resourceVersion("1014")
            .leaseDuration(Duration.ofSeconds(10))
            .acquireTime(TEN.plusSeconds(40))
            .renewTime(TEN.plusSeconds(50))
            .term(TermMark.begun("e", "n3", TEN.plusSeconds(40), Duration.ofSeconds(10)))
            .build();

    /** Nobody holds it, and its holder has made that so. */
    private static final Lease RELEASED = Lease.builder(ORDERS)
            .resourceVersion("1012")
            .leaseDuration(Duration.ofSeconds(1))
            .build();

    static Stream<LeasePair> oneCleared() {
        return Stream.of(
                new LeasePair(RELEASED, CLEARED),
                new LeasePair(CLEARED, RELEASED),
                new LeasePair(
                        CLEARED.toBuilder()
                                .term(TermMark.begun("b", "n1", TEN, Duration.ofSeconds(3)))
                                .leaseDuration(Duration.ofSeconds(3))
                                .build(),
                        CLEARED));
    }

    @ParameterizedTest
    @MethodSource("oneCleared")
    void aTermThatMayRunIsWaitedForWhereTheOtherRecordKnowsNothingOfIt(LeasePair pair) {
        LeaseObservation nothing = LeaseObservation.first(null, LONG_BEFORE);

        LeaseObservation seen = nothing.seen(Objects.requireNonNull(pair.combined()), NOW, false);

        assertThat(seen.free(NOW)).isFalse();
        assertThat(seen.heldUntil()).isEqualTo(NOW.plus(Duration.ofSeconds(10)));
    }

    @Test
    void whatIsReleasedOnBothRecordsIsFree() {
        LeasePair pair = new LeasePair(
                RELEASED.toBuilder().renewTime(TEN.plusSeconds(55)).build(),
                RELEASED.toBuilder().renewTime(TEN.plusSeconds(55)).build());
        LeaseObservation held = LeaseObservation.first(
                CLEARED.toBuilder().holder("e").build(), new Moment(NOW.nanos() - 1, NOW.wall()));

        LeaseObservation seen = held.seen(Objects.requireNonNull(pair.combined()), NOW, true);

        assertThat(held.free(NOW)).isFalse();
        assertThat(seen.free(NOW)).isTrue();
    }
}
