package io.cle;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The three durations: their constraints and the values derived from them. */
class TimingsTest {

    private static Timings timings(String lease, String deadline, String retry) {
        return new Timings(Duration.parse("PT" + lease), Duration.parse("PT" + deadline), Duration.parse("PT" + retry));
    }

    @Test
    void theDefaultsAreThoseOfClientGoAndContradictNothing() {
        assertThat(Timings.DEFAULT).isEqualTo(timings("15s", "10s", "2s"));
        assertThat(Timings.DEFAULT.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0s, 10s, 2s, lease-duration, lease-duration, at least 1s",
        "-5s, 10s, 2s, lease-duration, lease-duration, at least 1s",
        "15.5s, 10s, 2s, lease-duration, lease-duration, whole seconds",
        "15s, 15s, 2s, renew-deadline, lease-duration, stop before others may lead",
        "15s, 20s, 2s, renew-deadline, lease-duration, stop before others may lead",
        "15s, 2s, 2s, retry-period, renew-deadline, time for another attempt",
        "15s, 2.4s, 2s, retry-period, renew-deadline, time for another attempt",
        "15s, 10s, 0s, retry-period, retry-period, above zero",
        "15s, 10s, -1s, retry-period, retry-period, above zero",
    })
    void aContradictionNamesBothAndTheRule(
            String lease, String deadline, String retry, String first, String second, String rule) {
        assertThat(timings(lease, deadline, retry).problems()).anySatisfy(problem -> {
            assertThat(problem.first()).isEqualTo(first);
            assertThat(problem.second()).isEqualTo(second);
            assertThat(problem.rule()).contains(rule);
        });
    }

    @ParameterizedTest
    @CsvSource({"15s, 10s, 2s", "137s, 107s, 26s", "1s, 0.9s, 0.1s", "15s, 2.5s, 2s", "3600s, 3599s, 60s"})
    void whateverContradictsNothingLeavesRoomForThreeRenewalsAndForAnotherTryAfterATimeOut(
            String lease, String deadline, String retry) {
        Timings timings = timings(lease, deadline, retry);

        assertThat(timings.problems()).isEmpty();
        assertThat(timings.renewInterval().multipliedBy(3)).isLessThan(timings.renewDeadline());
        assertThat(timings.requestTimeout())
                .isPositive()
                .isLessThanOrEqualTo(timings.renewDeadline().dividedBy(2))
                .isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void theConsequencesAreWorkedOut() {
        assertThat(Timings.DEFAULT.renewInterval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(timings("60S", "10S", "2S").renewInterval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(timings("10S", "9S", "1S").renewInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(Timings.DEFAULT.toleratedClockRateRatio()).isCloseTo(1.5, within(1e-9));
        assertThat(Timings.DEFAULT.toleratedOutage()).isEqualTo(Duration.ofSeconds(5));
        assertThat(Timings.DEFAULT.lastAttempt()).isEqualTo(Duration.ofMillis(500));
        assertThat(Timings.DEFAULT.worstCrashFailover()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void severalContradictionsAreReportedAtOnce() {
        assertThat(timings("15.5s", "20s", "0s").problems()).hasSize(3);
    }
}
