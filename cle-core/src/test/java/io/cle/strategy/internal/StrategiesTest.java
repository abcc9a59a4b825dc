package io.cle.strategy.internal;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

import io.cle.model.Candidate;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The strategies that a coordinator knows: the built-in ones, and those on its class path. */
class StrategiesTest {

    /** A user's own strategy. */
    public static final class ShortestName implements ElectionStrategy {

        @Override
        public String wireName() {
            return "ShortestName";
        }

        @Override
        public Comparator<Candidate> criteria() {
            return Comparator.comparing(candidate -> candidate.identity().length());
        }
    }

    /** A strategy whose name is taken. */
    public static final class Impostor implements ElectionStrategy {

        @Override
        public String wireName() {
            return "HighestPriority";
        }

        @Override
        public Comparator<Candidate> criteria() {
            return (unusedLeft, unusedRight) -> 0;
        }
    }

    @Test
    void aClassThatIsListedOnTheClassPathIsOfferedBesideTheBuiltInOnes(@TempDir Path path) throws IOException {
        Path services = Files.createDirectories(path.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve(ElectionStrategy.class.getName()), ShortestName.class.getName());
        ClassLoader parent = StrategiesTest.class.getClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {path.toUri().toURL()}, parent)) {
            Strategies strategies = Strategies.onPathOf(loader);

            assertThat(strategies.find("ShortestName")).containsInstanceOf(ShortestName.class);
            assertThat(strategies.find("coordination.cle.io/ShortestName")).isPresent();
            assertThat(strategies.names()).contains("ShortestName", "NoCoordination");
        }
    }

    @Test
    void withNothingListedThereAreTheBuiltInOnes() {
        assertThat(Strategies.onPathOf(StrategiesTest.class.getClassLoader()).names())
                .containsExactly(
                        "Balanced",
                        "HighestPriority",
                        "MinimumCompatibilityVersion",
                        "NewestCompatibilityVersion",
                        "NoCoordination",
                        "OldestCompatibilityVersion");
    }

    @Test
    void twoOfOneNameAreRefusedAndBothAreNamed() {
        assertThatThrownBy(() -> new Strategies(List.of(new Impostor())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'HighestPriority'")
                .hasMessageContaining(Impostor.class.getName())
                .hasMessageContaining("rename one");
    }

    @Test
    void anOwnStrategyGoesBeforeTheBuiltInOnesWhenCandidatesDiffer() {
        assertThat(new ShortestName().precedence())
                .isGreaterThan(BuiltInStrategy.HIGHEST_PRIORITY.precedence())
                .isLessThan(BuiltInStrategy.NO_COORDINATION.precedence());
    }
}
