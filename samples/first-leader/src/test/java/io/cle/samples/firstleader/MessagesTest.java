package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/messages.md has every warning and error that the software logs. After an intended change: {@code ./mvnw -pl
 * samples/first-leader -am test -Dtest=MessagesTest -Dsurefire.failIfNoSpecifiedTests=false -Dmessages=rewrite}.
 */
class MessagesTest {

    private static final Path PAGE = JarProcess.ROOT.resolve("docs/messages.md");
    private static final String HEAD = "| level | message | logged by |\n|---|---|---|\n";

    /** A call of the logger, up to the end of its first argument: literals, joined by plus signs. */
    private static final Pattern CALL =
            Pattern.compile("\\blog\\s*\\.(warn|error)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*\\+?\\s*)+)");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    @Test
    void everyWarningAndErrorIsOnThePage() throws IOException {
        String page = Files.readString(PAGE);
        String before = page.substring(0, page.indexOf(HEAD) + HEAD.length());
        String expected = before + rows();
        if ("rewrite".equals(System.getProperty("messages"))) {
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE))
                .as("run this test with -Dmessages=rewrite")
                .isEqualTo(expected);
    }

    private static String rows() throws IOException {
        TreeSet<String> rows = new TreeSet<>();
        for (String module : List.of("cle-core", "cle-spring-boot-autoconfigure", "cle-coordinator-app")) {
            try (Stream<Path> sources =
                    Files.walk(JarProcess.ROOT.resolve(module).resolve("src/main/java"))) {
                sources.filter(source -> source.toString().endsWith(".java"))
                        .flatMap(source -> messages(source).stream())
                        .forEach(rows::add);
            }
        }
        return rows.stream().map(row -> row + "\n").collect(Collectors.joining());
    }

    private static List<String> messages(Path source) {
        String name = source.getFileName().toString().replace(".java", "");
        try {
            return CALL.matcher(Files.readString(source))
                    .results()
                    .map(call -> row(call.group(1), text(call.group(2)), name))
                    .filter(row -> !row.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing for a message that is all placeholders: what it says stands elsewhere. */
    private static String row(String level, String message, String source) {
        boolean says = Pattern.compile("\\p{L}")
                .matcher(message.replace("lease {}: {}", ""))
                .find();
        return says
                ? "| " + level.toUpperCase(Locale.ROOT) + " | `"
                        + message.replace("{}", "…").replace("|", "\\|") + "` | " + source + " |"
                : "";
    }

    private static String text(String literals) {
        return LITERAL.matcher(literals)
                .results()
                .map((MatchResult literal) -> literal.group(1))
                .collect(Collectors.joining())
                .replace("\\\"", "\"");
    }
}
