package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The checker finds nothing in a good history, and finds each violation that is planted in it. */
class ChaosReportTest {

    /** Two leaders, a restore between two outages, a third leader with a smaller token. */
    private static final List<String> GOOD = List.of(
            "cle-chaos-history 1",
            "run 42 5000000 60000000",
            "start 0 a-1",
            "start 10 b-1",
            "term 1000000 9000000 a-1 500",
            "write 2000000 a-1 500 accepted",
            "fault 8500000 12000000 KILL a-1",
            "term 10000000 19000000 b-1 600",
            "write 11000000 b-1 600 accepted",
            "write 11500000 a-1 500 refused",
            "fault 18000000 32000000 RESTORE etcd",
            "restored 30000000",
            "term 35000000 50000000 a-1 550",
            "write 36000000 a-1 550 accepted",
            "healed 40000000");

    @TempDir
    Path directory;

    @Test
    void findsNothingInAGoodHistory() {
        assertThat(violations(GOOD)).isEmpty();
    }

    @Test
    void readsWhatWasSaved() throws IOException {
        History history = History.parse(GOOD);
        Path file = directory.resolve("history.gz");

        history.save(file);

        assertThat(History.load(file)).isEqualTo(history);
    }

    @Test
    void namesALineThatItCannotRead() {
        assertThatThrownBy(() -> History.parse(with("write 3000000 a-1 500 perhaps")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 16")
                .hasMessageContaining("write 3000000 a-1 500 perhaps");
    }

    @Test
    void countsATimeWithoutAControlPlaneApart() {
        ChaosReport report = new ChaosReport(History.parse(GOOD));

        assertThat(report.longestGap()).isEqualTo(Duration.ofSeconds(16));
        assertThat(report.longestGapWithControlPlane()).isEqualTo(Duration.ofSeconds(3));
    }

    @Nested
    class Finds {

        @Test
        void anOverlapOfTwoProcesses() {
            assertThat(violations(with("term 8999999 9500000 b-1 550")))
                    .singleElement()
                    .asString()
                    .startsWith("two led at once")
                    .contains("a-1")
                    .contains("b-1");
        }

        @Test
        void anOverlapOfTwoTermsOfOneProcess() {
            assertThat(violations(with("term 8999999 9500000 a-1 550")))
                    .singleElement()
                    .asString()
                    .startsWith("two led at once");
        }

        @Test
        void aTokenThatDoesNotGrow() {
            assertThat(violations(with("term 20000000 21000000 a-1 600")))
                    .singleElement()
                    .asString()
                    .startsWith("a token did not grow");
        }

        @Test
        void aTokenThatDoesNotGrowAfterARestore() {
            assertThat(violations(with("term 51000000 52000000 b-1 549")))
                    .singleElement()
                    .asString()
                    .startsWith("a token did not grow");
        }

        @Test
        void aStaleWriteThatWasAccepted() {
            assertThat(violations(with("write 11600000 a-1 500 accepted")))
                    .singleElement()
                    .asString()
                    .startsWith("a stale write was accepted");
        }

        @Test
        void aWriteOfATermFromBeforeTheRestore() {
            assertThat(violations(with("write 36500000 b-1 600 accepted")))
                    .singleElement()
                    .asString()
                    .startsWith("a write was accepted under no term");
        }

        @Test
        void aTermThatGoesOnBeyondARestore() {
            assertThat(violations(with("term 29000000 31000000 b-1 700")))
                    .singleElement()
                    .asString()
                    .startsWith("a term went on beyond a restore");
        }

        @Test
        void aTermOfAProcessThatWasNotStarted() {
            assertThat(violations(with("term 51000000 52000000 c-1 700")))
                    .singleElement()
                    .asString()
                    .startsWith("a term is outside of the life of its process");
        }

        @Test
        void findsThatNoLeaderCame() {
            List<String> lines = new ArrayList<>(GOOD);
            lines.remove("healed 40000000");
            lines.add("healed 51000000");

            assertThat(violations(lines)).singleElement().asString().startsWith("there was no leader within");
        }
    }

    private static List<String> with(String line) {
        List<String> lines = new ArrayList<>(GOOD);
        lines.add(line);
        return lines;
    }

    private static List<String> violations(List<String> lines) {
        return new ChaosReport(History.parse(lines)).violations();
    }
}
