package io.cle.model;

import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Semantic versions, by the tables of semver.org. */
class VersionTest {

    /** Each is lower than the next: the examples of semver 2.0.0, items 9 and 11, and numbers that exceed any primitive type. */
    private static final List<String> ASCENDING = List.of(
            "0.0.4",
            "1.0.0-0.3.7",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0-x-y-z.--",
            "1.0.0",
            "1.9.0",
            "1.10.0",
            "1.11.0",
            "2.0.0",
            "2.1.0",
            "2.1.1",
            "99999999999999999999999.999999999999999999.99999999999999999",
            "99999999999999999999999.999999999999999999.999999999999999990");

    @Nested
    class Precedence {

        @Test
        void precedenceOfVersionsIsThatOfSemver() {
            for (int i = 0; i < ASCENDING.size(); i++) {
                for (int j = 0; j < ASCENDING.size(); j++) {
                    assertThat(Integer.signum(
                                    Version.parse(ASCENDING.get(i)).compareTo(Version.parse(ASCENDING.get(j)))))
                            .as("%s against %s", ASCENDING.get(i), ASCENDING.get(j))
                            .isEqualTo(Integer.compare(i, j));
                }
            }
        }

        @Test
        void thePrecedenceIgnoresBuildMetadataWhichMakesAnotherVersion() {
            Version left = Version.parse("1.0.0+20130313144700");
            Version right = Version.parse("1.0.0+exp.sha.5114f85");

            assertThat(left).isEqualByComparingTo(right).isNotEqualTo(right).hasToString("1.0.0+20130313144700");
            assertThat(Version.parse("1.0.0+a"))
                    .isEqualTo(Version.parse("1.0.0+a"))
                    .hasSameHashCodeAs("1.0.0+a");
        }
    }

    @Nested
    class Parsing {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "0.0.4",
                    "1.1.2-prerelease+meta",
                    "1.1.2+meta-valid",
                    "1.0.0-alpha0.valid",
                    "1.0.0-rc.1+build.123",
                    "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
                    "1.0.0+0.build.1-rc.10000aaa-kk-0.1",
                    "1.0.0-0A.is.legal",
                    "2.0.1-alpha.1227"
                })
        void parsingAcceptsEveryVersionOfSemver(String text) {
            assertThat(Version.parse(text)).hasToString(text);
        }

        @Test
        void parsingTakesTwoNumbersForAMinorVersionsFirstRelease() {
            assertThat(Version.parse("1.29")).isEqualTo(Version.parse("1.29.0")).hasToString("1.29.0");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " 1.0.0",
                    "1",
                    "1.2.3.4",
                    "1.",
                    "01.2",
                    "1.2+build",
                    "1.2-SNAPSHOT",
                    "1.2.3-0123",
                    "1.2.3-0123.0123",
                    "1.1.2+.123",
                    "1.1.2+a..b",
                    "+invalid",
                    "-invalid",
                    "alpha",
                    "1.0.0-alpha_beta",
                    "1.0.0-alpha..1",
                    "1.0.0-.",
                    "01.1.1",
                    "1.01.1",
                    "1.1.01",
                    "1.2.3.DEV",
                    "1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788",
                    "1.1.2+meta+meta",
                    "-1.0.3-gamma+b7718",
                    "9.8.7-whatever+meta+meta",
                    "1.0.0\n"
                })
        void parsingRefusesEveryTextThatSemverRefuses(String text) {
            assertThatThrownBy(() -> Version.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("'" + text + "' is not a semantic version");
        }

        @ParameterizedTest
        @CsvSource({
            "v1.2.3, leave out the leading 'v'",
            "1, must be MAJOR.MINOR.PATCH",
            "1.0.0-01, bad pre-release identifier '01'",
        })
        void parsingSaysTheWayOut(String text, String hint) {
            assertThatThrownBy(() -> Version.parse(text)).hasMessageContaining(hint.replace("''", "'"));
        }

        /** Versions are other teams' text: twenty thousand parts overflowed the stack of the thread that read them. */
        @ParameterizedTest
        @ValueSource(strings = {"1.2.3+%sa", "1.2.3-%sa", "%s1.0"})
        void parsingRefusesAVersionOfManyParts(String form) {
            assertThatThrownBy(() -> Version.parse(form.formatted("9.".repeat(20_000))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a semantic version")
                    .hasMessageMatching("(?s).{0,200}");
        }

        @Test
        void parsingAccepts255CharactersAtMost() {
            String longest = "1.0.0-" + "a".repeat(249);

            assertThat(Version.parse(longest)).hasToString(longest);
            assertThatThrownBy(() -> Version.parse(longest + "a")).hasMessageContaining("256 characters");
        }
    }

    @Test
    void onlyWhatComesBeforeAReleaseIsAPreRelease() {
        assertThat(Version.parse("1.29.0-rc.1").isPreRelease()).isTrue();
        assertThat(Version.parse("1.29.0").isPreRelease()).isFalse();
        assertThat(Version.parse("1.29.0+build-5").isPreRelease()).isFalse();
    }
}
