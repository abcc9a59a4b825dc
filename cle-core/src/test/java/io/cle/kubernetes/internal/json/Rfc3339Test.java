package io.cle.kubernetes.internal.json;

import java.time.OffsetDateTime;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class Rfc3339Test {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01T00:00:00.000000Z",
                "2024-02-29T23:59:59.999999Z",
                "2026-01-01T00:00:00Z",
                "2026-01-01T02:00:00.000001+02:00",
                "+12026-01-01T00:00:00.0000Z"
            })
    void aTimeIsReadAsJavaDoes(String text) {
        assertThat(Rfc3339.parse(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
    }
}
