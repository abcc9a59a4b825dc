package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The kept histories have no violations, and README.md has their figures. */
class KeptHistoriesTest {

    static List<Path> histories() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("history"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("histories")
    void keepWhatIsPromised(Path file) throws IOException {
        assertThat(new ChaosReport(History.load(file)).violations()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("histories")
    void haveEveryKindOfFault(Path file) throws IOException {
        List<Fault> expected = Arrays.stream(Fault.values())
                .filter(fault -> fault != Fault.DIED)
                .toList();

        assertThat(History.load(file).faults())
                .extracting(History.Strike::fault)
                .containsAll(expected);
    }

    @ParameterizedTest
    @MethodSource("histories")
    void haveTheFiguresThatAreDocumented(Path file) throws IOException {
        ChaosReport report = new ChaosReport(History.load(file));

        assertThat(Files.readString(Path.of("README.md"))).contains(report.table());
    }
}
