package io.cle.kubernetes.internal.json;

import java.time.DateTimeException;
import java.time.OffsetDateTime;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class Rfc3339Test {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01T00:00:00.000000Z",
                "2024-02-29T23:59:59.999999Z",
                "2026-01-01T00:00:00Z",
                "2026-01-01T02:00:00.000001+02:00",
                "0000-01-01T00:00:00.0Z",
                "9999-12-31T23:59:59.9Z"
            })
    void aTimeIsReadAsJavaDoes(String text) {
        assertThat(Rfc3339.parse(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
    }

    /** RFC 3339 has four digits for the year. A time of another era can't be counted in microseconds, and stopped the lock that read it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+12026-01-01T00:00:00.0000Z",
                "+999999999-12-31T23:59:59Z",
                "-0001-12-31T23:59:59Z",
                "9999-12-31T23:59:59-18:00"
            })
    void aYearOfMoreThanFourDigitsIsNone(String text) {
        assertThatThrownBy(() -> Rfc3339.parse(text)).isInstanceOf(DateTimeException.class);
    }
}
