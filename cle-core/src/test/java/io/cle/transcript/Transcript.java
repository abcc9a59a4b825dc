package io.cle.transcript;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A text file of events (lines that begin with {@code >}), each followed by the lines of its outcome. Lines that begin
 * with {@code #} and empty lines are for the reader. After an intended change of behaviour, run the tests with
 * {@code -Dtranscripts=rewrite} and review the diff.
 */
public final class Transcript {

    private static final Path RESOURCES = Path.of("src", "test", "resources");

    private Transcript() {}

    /** Carries out an event and returns its outcome, line by line. */
    @FunctionalInterface
    public interface Interpreter {

        /** Returns the outcome of an event, given without its {@code >}. */
        List<String> happens(String line);
    }

    /** Returns all transcripts in a folder of the test resources. */
    public static List<Path> in(String folder) throws IOException {
        try (var files = Files.list(RESOURCES.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    /** Fails if the outcome of an event differs from the file. */
    public static void check(Path file, Interpreter interpreter) throws IOException {
        List<String> actual = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(">")) {
                actual.add(line);
                actual.addAll(interpreter.happens(line.substring(1).strip()));
            } else if (line.isBlank() || line.startsWith("#")) {
                actual.add(line);
            }
        }
        if ("rewrite".equals(System.getProperty("transcripts"))) {
            Files.write(file, actual);
        }
        assertThat(String.join("\n", actual))
                .as(file.getFileName().toString())
                .isEqualTo(String.join("\n", Files.readAllLines(file)));
    }
}
