package io.cle.election.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.cle.transcript.Transcript;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The coordinator's decisions as stories: src/test/resources/election/*.txt. */
class ElectionTranscriptTest {

    static Stream<Path> transcripts() throws IOException {
        return Transcript.in("election").stream();
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void saysWhatIsDecided(Path file) throws IOException {
        Transcript.check(file, new ElectionScript());
    }
}
