package io.cle.kubernetes.internal.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

import com.google.gson.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class Rfc3339Test {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01T00:00:00.000000Z",
                "2024-02-29T23:59:59.999999Z",
                "0001-12-31T12:34:56.000001Z",
                "9999-12-31T23:59:59.123456Z",
                "1969-07-20T20:17:40.500000Z",
                "2026-01-01T00:00:00Z",
                "2026-03-28T02:30:15Z",
                "2026-01-01T00:00:00.5Z",
                "2026-01-01T00:00:00.123456789Z",
                "2026-01-01T02:00:00.000000+02:00",
                "2026-01-01T00:00:00-08:00",
                "2026-01-01t00:00:00z",
                "2026-01-01T00:00:00.000000z",
                "2026-01-01T00:00Z",
                "2026-01-01T02:00:00.000001+02:00",
                "0000-01-01T00:00:00.0Z",
                "9999-12-31T23:59:59.9Z"
            })
    void aTimeIsReadAsJavaDoes(String text) {
        Instant expected = OffsetDateTime.parse(text).toInstant();

        assertThat(Rfc3339.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yesterday",
                "2026-02-29T00:00:00.000000Z",
                "2026-13-01T00:00:00Z",
                "2026-01-01T24:00:00.000000Z",
                "2026-01-01T00:60:00Z",
                "2026-01-01T23:59:60Z",
                "2026-01-01T00:00:00.00000xZ",
                "2026-01-01T00:00:+0.000000Z",
                "2026-01-01T00:00:00.000000 ",
                "2026-01-01 00:00:00.000000Z",
                "-0001-01-01T00:00:00.00000Z",
                "+12026-01-01T00:00:00.0000Z",
                "2026-01-01T00-00-00.000000Z",
                "2026-01-01T00:00:00,000000Z",
                "２０２６-01-01T00:00:00Z"
            })
    void anythingElseIsRefusedWithItsPlaceAndText(String text) {
        JsonObject spec = new JsonObject();
        spec.addProperty("renewTime", text);
        JsonObject object = new JsonObject();
        object.add("spec", spec);

        assertThatThrownBy(() -> Fields.of(object).child("spec").time("renewTime"))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessageContaining("spec.renewTime must be a time")
                .hasMessageContaining(text.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01T00:00:00.000000Z", "2031-10-26T01:02:03.000045Z"})
    void aTimeIsWrittenAsItIsRead(String text) {
        assertThat(Rfc3339.micro(Rfc3339.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00Z, 2026-01-01T00:00:00.000000Z, 2026-01-01T00:00:00Z",
        "2024-02-29T23:59:59.999999999Z, 2024-02-29T23:59:59.999999Z, 2024-02-29T23:59:59Z",
        "1969-07-20T20:17:40.000001Z, 1969-07-20T20:17:40.000001Z, 1969-07-20T20:17:40Z",
        "0001-12-31T12:34:56.5Z, 0001-12-31T12:34:56.500000Z, 0001-12-31T12:34:56Z"
    })
    void timesAreWrittenWithSixDigitsOfASecondOrNone(String time, String micro, String seconds) {
        assertThat(Rfc3339.micro(Instant.parse(time))).isEqualTo(micro);
        assertThat(Rfc3339.seconds(Instant.parse(time))).isEqualTo(seconds);
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
