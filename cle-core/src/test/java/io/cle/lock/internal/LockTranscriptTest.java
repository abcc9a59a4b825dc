package io.cle.lock.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.cle.transcript.Transcript;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lock's behaviour as stories: src/test/resources/lock/*.txt. */
class LockTranscriptTest {

    static Stream<Path> transcripts() throws IOException {
        return Transcript.in("lock").stream();
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void saysWhatTheLockDoes(Path file) throws IOException {
        Transcript.check(file, new LockScript());
    }
}
