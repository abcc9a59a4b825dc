package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SemanticVersionTest {

    /** The order of semver.org, section 11. */
    @Test
    void preReleasesStandBeforeTheirReleaseInOrder() {
        List<SemanticVersion> ordered = List.of(
                        "1.0.0-1",
                        "1.0.0-2",
                        "1.0.0-11",
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta",
                        "1.0.0-rc.1",
                        "1.0.0",
                        "1.0.1",
                        "1.2.0",
                        "1.10.0",
                        "2.0.0")
                .stream()
                .map(text -> Objects.requireNonNull(SemanticVersion.parse(text)))
                .toList();

        assertThat(ordered).isSorted();
        assertThat(ordered.get(0)).isLessThan(ordered.get(1));
    }

    @Test
    void buildsAreNoDifference() {
        assertThat(SemanticVersion.parse("1.0.0+a")).isEqualByComparingTo(SemanticVersion.parse("1.0.0+b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0+", "1.0.x"})
    void refusesAVersionThatIsNotComplete(String text) {
        assertThat(SemanticVersion.parse(text)).isNull();
    }
}
