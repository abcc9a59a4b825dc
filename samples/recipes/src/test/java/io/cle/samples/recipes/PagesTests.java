package io.cle.samples.recipes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The Java code of docs/led-work.md is taken from this module, which is compiled. */
class PagesTests {

    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path PAGE = Path.of("..", "..", "docs", "led-work.md");

    @Test
    void allCodeOfLedWorkIsCompiled() throws IOException {
        List<String> blocks = CODE.matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult match) -> normalized(match.group(1)))
                .toList();
        assertThat(blocks).isNotEmpty();
        List<String> sources;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .map(PagesTests::read)
                    .toList();
        }
        assertThat(blocks)
                .allSatisfy(block -> assertThat(sources)
                        .anySatisfy(source -> assertThat(source).contains(block)));
    }

    private static String read(Path file) {
        try {
            return normalized(Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String normalized(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
