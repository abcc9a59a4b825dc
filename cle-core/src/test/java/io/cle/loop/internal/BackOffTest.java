package io.cle.loop.internal;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BackOffTest {

    private final BackOff backOff = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private final Random random = new Random(1);

    @Test
    void doublesUpToItsLimitLessAtMostHalf() {
        for (int failures = 1; failures < 100; failures++) {
            long most = failures > 6 ? 5_000 : 100L << (failures - 1);
            assertThat(backOff.after(failures, random)).isBetween(Duration.ofMillis(most / 2), Duration.ofMillis(most));
        }
    }

    @Test
    void isSpread() {
        assertThat(backOff.after(3, random)).isNotEqualTo(backOff.after(3, random));
    }

    @Test
    void refusesInvalidValues() {
        assertThatThrownBy(() -> backOff.after(0, random)).hasMessage("back-off after 0 failures");
        assertThatThrownBy(() -> new BackOff(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessage("back-off from PT0S to PT1S");
        assertThatThrownBy(() -> new BackOff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessage("back-off from PT2S to PT1S");
    }
}
