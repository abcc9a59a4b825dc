package io.cle.lock.internal;

import java.time.Duration;

import io.cle.Timings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetriesTest {

    private static final Duration LONGEST = Duration.ofSeconds(15);

    private static Duration after(int failures) {
        return Retries.delay(failures, Timings.DEFAULT, LONGEST);
    }

    @Test
    void isAnEighthOfTheRetryPeriodAfterTheFirstFailure() {
        assertThat(after(1)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void doublesWithEachFurtherFailure() {
        assertThat(after(2)).isEqualTo(Duration.ofMillis(500));
        assertThat(after(6)).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void hasALimit() {
        assertThat(after(7)).isEqualTo(LONGEST);
        assertThat(after(Integer.MAX_VALUE)).isEqualTo(LONGEST);
    }
}
