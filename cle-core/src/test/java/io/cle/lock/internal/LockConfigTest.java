package io.cle.lock.internal;

import java.time.Duration;

import io.cle.Timings;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockConfigTest {

    private static LockConfig of(String identity) {
        return of(identity, Timings.DEFAULT, Duration.ofSeconds(30), Duration.ZERO);
    }

    private static LockConfig of(String identity, Timings timings, Duration drainTimeout, Duration fallbackDelay) {
        return new LockConfig(
                new ObjectKey("shop", "orders"),
                identity,
                timings,
                drainTimeout,
                new LockConfig.Fallback(false, fallbackDelay),
                null,
                null,
                Duration.ofNanos(1000));
    }

    /** It would be read back as another identity, and would forge a log line (protocol.md#objects). */
    @ParameterizedTest
    @ValueSource(strings = {"a\nINFO all is well", "a\u001b[2J", "a\u0000", "a\u202eb", "a\u2028b"})
    void anIdentityWithACharacterThatCantBeSeenIsRefusedAndNotRepeated(String identity) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(identity))
                .withMessageContaining("can't be seen")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(identity));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void anEmptyIdentityIsRefused(String identity) {
        assertThatIllegalArgumentException().isThrownBy(() -> of(identity)).withMessageContaining("must not be empty");
    }

    @Test
    void anyTextThatCanBeSeenIsAnIdentity() {
        assertThat(of("Büro 7 (links)").identity()).isEqualTo("Büro 7 (links)");
    }

    /** In nanoseconds they would overflow while the lock runs. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 3_651, 500_000})
    void aDurationBelowZeroOrAboveTenYearsIsRefused(long days) {
        Duration duration = Duration.ofDays(days);
        Timings timings = new Timings(duration, Duration.ofSeconds(10), Duration.ofSeconds(2));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("a", timings, Duration.ZERO, Duration.ZERO))
                .withMessageContaining("the lease duration of " + duration);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("a", Timings.DEFAULT, duration, Duration.ZERO))
                .withMessageContaining("the drain timeout of " + duration);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("a", Timings.DEFAULT, Duration.ZERO, duration))
                .withMessageContaining("the fallback delay of " + duration);
    }

    @Test
    void durationsUpToTenYearsAreAllowed() {
        Timings longest = new Timings(Timings.LONGEST, Timings.LONGEST.dividedBy(2), Duration.ofSeconds(2));

        assertThat(of("a", longest, Timings.LONGEST, Timings.LONGEST).drainTimeout())
                .isEqualTo(Timings.LONGEST);
    }
}
