package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DisplayFormatTest {

    @ParameterizedTest
    @CsvSource({
        "PT0.021S, 21 ms",
        "PT1S, 1 s",
        "PT8.44S, 8.4 s",
        "PT59S, 59 s",
        "PT3M12S, 3 m 12 s",
        "PT2H, 2 h",
        "PT52H, 2 d 4 h",
        "PT-1S, 0 ms"
    })
    void durationsByTheirLargestUnits(Duration duration, String shown) {
        assertThat(DisplayFormat.duration(duration)).isEqualTo(shown);
    }

    @Test
    void aTimeOfAnotherDayWithItsDay() {
        Instant now = Instant.parse("2026-01-02T00:00:01Z");

        assertThat(DisplayFormat.time(Instant.parse("2026-01-02T00:00:00.25Z"), now))
                .isEqualTo("00:00:00.250");
        assertThat(DisplayFormat.time(Instant.parse("2026-01-01T23:59:59Z"), now))
                .isEqualTo("2026-01-01 23:59:59");
    }

    @Test
    void invisibleCharactersAreSpelledOut() {
        assertThat(DisplayFormat.text("orders\u202e1\n\u0000")).isEqualTo("orders\\u202e1\\u000a\\u0000");
    }

    @Test
    void visibleCharactersStay() {
        assertThat(DisplayFormat.text("<b>Übung 演習 \uD83D\uDE80</b>")).isEqualTo("<b>Übung 演習 \uD83D\uDE80</b>");
    }

    @Test
    void endlessTextIsCut() {
        assertThat(DisplayFormat.text("x".repeat(100_000)))
                .hasSize(DisplayFormat.LONGEST + 1)
                .endsWith("…");
    }
}
