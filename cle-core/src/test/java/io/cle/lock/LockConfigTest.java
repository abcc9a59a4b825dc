package io.cle.lock;

import java.time.Duration;

import io.cle.model.ObjectKey;
import io.cle.model.Timings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockConfigTest {

    private static LockConfig of(String identity) {
        return new LockConfig(
                new ObjectKey("shop", "orders"),
                identity,
                LockKind.DIRECT,
                Timings.DEFAULT,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                Duration.ofNanos(1000));
    }

    /** It would be read back as another identity, and would forge a line of the log (safety.md#visible-text). */
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
}
