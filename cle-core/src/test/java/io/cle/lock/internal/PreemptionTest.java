package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;

import io.cle.KeyComparison;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How preemptions are damped when the keys of processes contradict each other (KEP-2835); {@link TakeoverTest} has the rest. */
class PreemptionTest {

    private static final LockConfig CONFIG = Race.direct("a", null);
    private static final Duration LEASE_DURATION = CONFIG.timings().leaseDuration();
    private static final Moment NOW = new Moment(0, Instant.EPOCH);

    private static Preemption yields(Preemption before, Duration led) {
        return before.yielded(CONFIG, led, NOW);
    }

    @Nested
    class AYield {

        private final Preemption first = yields(Preemption.NONE, Duration.ofHours(1));

        @Test
        void aYieldHoldsOffForTwoLeaseDurations() {
            assertThat(first.yields()).isEqualTo(1);
            assertThat(first.holdOffUntil())
                    .isEqualTo(LEASE_DURATION.multipliedBy(2).toNanos());
        }

        @Test
        void aYieldHoldsOffForTwiceAsLongIfItComesWithinFourHoldOffsAfterTheTermBegan() {
            Preemption second = yields(first, LEASE_DURATION.multipliedBy(8));

            assertThat(second.yields()).isEqualTo(2);
            assertThat(second.holdOffUntil())
                    .isEqualTo(LEASE_DURATION.multipliedBy(4).toNanos());
        }

        @Test
        void aYieldIsTheFirstOneIfItComesLater() {
            assertThat(yields(first, LEASE_DURATION.multipliedBy(8).plusNanos(1))
                            .yields())
                    .isEqualTo(1);
        }
    }

    @Test
    void noHolderIsAskedWhileAnEarlierTermMayStillRun() {
        Lease held = Lease.builder(Race.LEASE).resourceVersion("2").holder("b").build();
        Lease earlier = held.toBuilder().resourceVersion("1").holder("c").build();
        LeaseObservation.Observer observer = new LeaseObservation.Observer(LEASE_DURATION, false);
        LeaseObservation observation =
                LeaseObservation.first(held, NOW, observer).late(earlier, NOW, observer);
        LockConfig.Takeover takeover =
                new LockConfig.Takeover("9", KeyComparison.largestNumber(), Duration.ofSeconds(40));
        Preemption.Decision decision = Preemption.NONE.decide(Race.direct("a", takeover), observation, NOW);

        assertThat(decision.move()).isEqualTo(Preemption.Move.WAIT);
        assertThat(decision.at()).isEqualTo(NOW.plus(LEASE_DURATION));
    }

    @Test
    void theHoldOffHasALimit() {
        assertThat(Preemption.holdOff(CONFIG, 7)).isEqualTo(LEASE_DURATION.multipliedBy(128));
        assertThat(Preemption.holdOff(CONFIG, 1000)).isEqualTo(LEASE_DURATION.multipliedBy(256));
    }
}
