package io.cle.test.apiserver.resource;

import java.time.Instant;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class AgesTest {

    private final Ages ages = new Ages(Instant.parse("2026-01-10T00:00:00Z"));

    @ParameterizedTest
    @CsvSource({
        "2026-01-10T00:00:00Z, 0s",
        "2026-01-09T23:58:01Z, 119s",
        "2026-01-09T23:56:40Z, 3m20s",
        "2026-01-09T23:57:00Z, 3m",
        "2026-01-09T23:00:00Z, 60m",
        "2026-01-09T18:30:00.000000Z, 5h30m",
        "2026-01-09T00:00:00Z, 24h",
        "2026-01-07T12:00:00Z, 2d12h",
        "2026-01-01T00:00:00Z, 9d",
        "2026-01-10T00:01:00Z, <invalid>",
        "yesterday, <invalid>"
    })
    void agesReadAsKubectlTellsThem(String time, String age) {
        assertThat(ages.since(time)).isEqualTo(age);
    }
}
