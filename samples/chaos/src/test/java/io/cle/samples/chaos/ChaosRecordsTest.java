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
    void aReignOutlivesTheProcessThatRecordedIt() throws IOException {
        Path path = directory.resolve("a.reigns");
        ReignRecorder recorder = new ReignRecorder(path);
        recorder.leading(5, 100, 110);
        recorder.leading(5, 200, 210);
        recorder.leading(8, 300, 310);

        assertThat(ReignRecorder.read("a", path))
                .containsExactly(new Reign("a", 5, 110, 200), new Reign("a", 8, 310, 310));
        recorder.close();
    }

    @Test
    void twoReignsAtOneTimeAreFound() {
        Reign a = new Reign("a", 5, 100, 200);
        Reign b = new Reign("b", 6, 199, 300);
        Reign c = new Reign("c", 7, 301, 400);

        assertThat(Reign.overlaps(List.of(c, b, a))).containsExactly(new Reign.Overlap(a, b));
    }

    @Test
    void aTokenThatDoesNotGrowIsFound() {
        Reign a = new Reign("a", 5, 100, 200);
        Reign b = new Reign("b", 5, 250, 300);

        assertThat(Reign.withoutGrowingToken(List.of(a, b))).containsExactly(b);
    }

    @Test
    void anOutageOfTheApiServerDoesNotCountAsATimeWithoutALeader() {
        List<Reign> reigns =
                List.of(new Reign("a", 5, 0, 1_000_000_000L), new Reign("b", 6, 9_000_000_000L, 9_500_000_000L));
        List<ChaosReport.Outage> outages = List.of(new ChaosReport.Outage(500_000_000L, 7_000_000_000L));
        ChaosReport report = new ChaosReport(Map.of(), reigns, outages, List.of(5L, 6L), 0, Duration.ZERO);

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
