package io.cle.spring.properties.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BuildVersionTests {

    @ParameterizedTest
    @CsvSource({
        // Semantic versions (semver.org).
        "1.2.3, 1.2.3",
        "1.2.3-rc.1+b.5, 1.2.3-rc.1+b.5",
        "1.2.3-RELEASE, 1.2.3-RELEASE",
        // Fewer than three numbers.
        "1, 1.0.0",
        "1.29, 1.29.0",
        "v2.3.4, 2.3.4",
        "' 1.0 ', 1.0.0",
        "1.0-SNAPSHOT, 1.0.0-SNAPSHOT",
        "1.0+b.5, 1.0.0+b.5",
        // Calendar versions.
        "2024.01.15, 2024.1.15",
        "2024.00, 2024.0.0",
        "24.04-SNAPSHOT, 24.4.0-SNAPSHOT",
        // Release qualifiers.
        "1.0.0.RELEASE, 1.0.0",
        "1.2.3.Final, 1.2.3",
        "1.2.GA, 1.2.0",
        "2024.4.RELEASE, 2024.4.0",
        // Pre-release qualifiers.
        "1.2.3.RC1, 1.2.3-RC1",
        "1.2.3.M2, 1.2.3-M2",
        "1.2.3.BUILD-SNAPSHOT, 1.2.3-BUILD-SNAPSHOT",
        "1.2.3.Beta1, 1.2.3-Beta1",
        "1.2.3.alpha.2, 1.2.3-alpha.2"
    })
    void isReadAsASemanticVersion(String text, String read) {
        assertThat(BuildVersion.read(text))
                .hasValueSatisfying(version -> assertThat(version).hasToString(read));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unspecified",
                "main-3f2a",
                "",
                " ",
                "v",
                "${project.version}",
                "@project.version@",
                "1.",
                "1..2",
                "1.2.3.4",
                "1.2.3.SP1",
                "1.2.3.master",
                "1.2.3_4",
                "1.2.3-",
                "1.2.3-0123",
                "1.2.3-a_b",
                "-1.2.3",
                "1.2.3\n4"
            })
    void isNotReadIfItCantBeCompared(String text) {
        assertThat(BuildVersion.read(text)).isEmpty();
    }

    /** Semver has no size limit, but advises against overlong versions. */
    @Test
    void isNotReadIfItIsOverlong() {
        assertThat(BuildVersion.read("1." + "9".repeat(300))).isEmpty();
    }

    @Test
    void ofAPreReleaseComesBeforeItsRelease() {
        assertThat(BuildVersion.read("1.2.3.RC1").orElseThrow())
                .isLessThan(BuildVersion.read("1.2.3.Final").orElseThrow());
    }
}
