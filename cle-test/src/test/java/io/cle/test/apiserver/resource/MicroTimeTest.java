package io.cle.test.apiserver.resource;

import java.time.DateTimeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MicroTimeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-29T00:00:00.000000Z",
                "2026-01-01T24:00:00.000000Z",
                "2026-01-01T00:00:00.00000xZ",
                "2026-01-01T00:00:+0.000000Z",
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:00:00.000Z",
                "yesterday"
            })
    void refusesATimeWithoutSixDigits(String text) {
        assertThatThrownBy(() -> MicroTime.canonical(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void aTimeIsAnsweredInUtc() {
        assertThat(MicroTime.canonical("2026-01-01T02:00:00.000001+02:00")).isEqualTo("2026-01-01T00:00:00.000001Z");
    }
}
