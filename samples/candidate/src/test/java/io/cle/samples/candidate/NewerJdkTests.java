package io.cle.samples.candidate;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The sample on JDK 25, by the classes that are built for 17. Looked for by the environment variable {@code JAVA_HOME_25} and in
 * {@code /usr/lib/jvm}; skipped if there is none.
 */
class NewerJdkTests {

    @Test
    void leadsOnJdk25() throws IOException {
        Optional<Path> java = jdk25();
        assumeTrue(java.isPresent(), "there is no JDK 25: JAVA_HOME_25 is not set, and /usr/lib/jvm has none");
        Process process = new ProcessBuilder(
                        java.get().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CandidateApplication.class.getName(),
                        "--cle.mode=standalone")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader()) {
            String granted = assertTimeoutPreemptively(
                    Duration.ofMinutes(2),
                    () -> out.lines()
                            .filter(line -> line.endsWith(" granted"))
                            .findFirst()
                            .orElse("none: the process has ended"));
            assertThat(granted).endsWith(" granted");
        } finally {
            process.destroy();
        }
    }

    private static Optional<Path> jdk25() throws IOException {
        String home = System.getenv("JAVA_HOME_25");
        if (home != null) {
            return Optional.of(Path.of(home, "bin", "java"));
        }
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> jdks = Files.newDirectoryStream(installed, "*25*")) {
            for (Path jdk : jdks) {
                Path java = jdk.resolve("bin").resolve("java");
                if (Files.isExecutable(java)) {
                    return Optional.of(java);
                }
            }
        }
        return Optional.empty();
    }
}
