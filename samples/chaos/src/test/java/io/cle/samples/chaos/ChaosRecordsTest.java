package io.cle.samples.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ChaosRecordsTest {

    @TempDir
    Path directory;

    @Test
    void theSharedFileRefusesATokenBelowOneThatItHasSeen() throws IOException {
        FencedFile file = new FencedFile(directory.resolve("fenced"));

        assertThat(file.append(7, "a")).isTrue();
        assertThat(file.append(7, "a")).isTrue();
        assertThat(file.append(9, "b")).isTrue();
        assertThat(file.append(8, "a")).isFalse();

        assertThat(file.tokens()).containsExactly(7L, 7L, 9L);
    }

    @Test
    void aTermOutlivesTheProcessThatRecordedIt() throws IOException {
        Path path = directory.resolve("a.terms");
        TermRecorder recorder = new TermRecorder(path);
        recorder.leading(5, 100, 110);
        recorder.leading(5, 200, 210);
        recorder.leading(8, 300, 310);

        assertThat(TermRecorder.read("a", path))
                .containsExactly(new RecordedTerm("a", 5, 110, 200), new RecordedTerm("a", 8, 310, 310));
        recorder.close();
    }

    @Test
    void twoTermsAtOneTimeAreFound() {
        RecordedTerm a = new RecordedTerm("a", 5, 100, 200);
        RecordedTerm b = new RecordedTerm("b", 6, 199, 300);
        RecordedTerm c = new RecordedTerm("c", 7, 301, 400);

        assertThat(RecordedTerm.overlaps(List.of(c, b, a))).containsExactly(new RecordedTerm.Overlap(a, b));
    }

    @Test
    void aTokenThatDoesNotGrowIsFound() {
        RecordedTerm a = new RecordedTerm("a", 5, 100, 200);
        RecordedTerm b = new RecordedTerm("b", 5, 250, 300);

        assertThat(RecordedTerm.withoutGrowingToken(List.of(a, b))).containsExactly(b);
    }

    @Test
    void anOutageOfTheApiServerDoesNotCountAsATimeWithoutALeader() {
        List<RecordedTerm> terms = List.of(
                new RecordedTerm("a", 5, 0, 1_000_000_000L), new RecordedTerm("b", 6, 9_000_000_000L, 9_500_000_000L));
        List<ChaosReport.Outage> outages = List.of(new ChaosReport.Outage(500_000_000L, 7_000_000_000L));
        ChaosReport report = new ChaosReport(Map.of(), terms, outages, List.of(5L, 6L), 0, Duration.ZERO);

        assertThat(report.longestGap()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aStaleWriteThatWasAcceptedMakesTheRunFail() {
        ChaosReport report =
                new ChaosReport(Map.of(), List.of(), List.of(), List.of(5L, 7L, 6L), 0, Duration.ofMillis(5));

        assertThat(report.staleWritesAccepted()).isEqualTo(1);
        assertThat(report.good()).isFalse();
    }
}
