package io.cle.loop.internal;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClockTest {

    @Test
    void theMonotonicClockBeginsNearZeroWhereverThatOfTheMachineDoes() {
        assertThat(Clock.system().nanos()).isBetween(0L, Duration.ofDays(1).toNanos());
    }

    @Test
    void neverIsNotReached() {
        assertThat(Clock.system().now().reached(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void instantsOfAllItsUsersAreComparable() {
        assertThat(Clock.system()).isSameAs(Clock.system());
    }
}
