package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The records that processes write while they run. */
class RecordsTest {

    @TempDir
    Path directory;

    @Test
    void theSharedFileRefusesATokenBelowOneThatItHasSeen() throws IOException {
        FencedFile file = new FencedFile(directory.resolve("fenced"));

        assertThat(file.append(7, "a", System.nanoTime())).isTrue();
        assertThat(file.append(7, "a", System.nanoTime())).isTrue();
        assertThat(file.append(9, "b", System.nanoTime())).isTrue();
        assertThat(file.append(8, "a", System.nanoTime())).isFalse();
        assertThat(file.append(8, "a", System.nanoTime())).isFalse();

        assertThat(file.writes())
                .extracting(write -> write.token() + " " + write.accepted())
                .containsExactly("7 true", "7 true", "9 true", "8 false", "8 false");
    }

    @Test
    void theSharedFileAcceptsASmallerTokenAfterARestoreButNoRequestFromBefore() throws IOException {
        FencedFile file = new FencedFile(directory.resolve("fenced"));
        assertThat(file.append(900, "a", System.nanoTime())).isTrue();
        long underWay = System.nanoTime();

        file.restored();

        assertThat(file.append(900, "a", underWay)).isFalse();
        assertThat(file.append(500, "b", System.nanoTime())).isTrue();
        assertThat(file.append(900, "a", underWay)).isFalse();
        assertThat(file.append(499, "b", System.nanoTime())).isFalse();
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
}
