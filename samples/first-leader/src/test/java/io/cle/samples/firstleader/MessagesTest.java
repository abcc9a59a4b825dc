package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/troubleshooting.md says of every warning and error that the software logs what to do about it. After an intended change: {@code ./mvnw
 * -pl samples/first-leader -am test -Dtest=MessagesTest -Dsurefire.failIfNoSpecifiedTests=false -Dmessages=rewrite} writes the table anew, with
 * what it says of the messages that are left; then say what to do about the others.
 */
class MessagesTest {

    private static final Path PAGE = JarProcess.ROOT.resolve("docs/troubleshooting.md");
    private static final String HEAD = "| level | message | what to do |\n|---|---|---|\n";
    private static final int LONGEST = 80;

    /** What a message says itself is on no page. */
    private static final Pattern SAYS_WHAT_TO_DO = Pattern.compile("(?i)\\b(set|raise|apply|see|report)\\b");

    /** A call of the logger, up to the end of its first argument: literals, joined by plus signs. */
    private static final Pattern CALL =
            Pattern.compile("\\blog\\s*\\.(warn|error)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*\\+?\\s*)+)");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    @Test
    void thePageSaysWhatToDoAboutEveryWarningAndError() throws IOException {
        String page = Files.readString(PAGE);
        String before = page.substring(0, page.indexOf(HEAD) + HEAD.length());
        if ("rewrite".equals(System.getProperty("messages"))) {
            Map<String, String> advice = advice(page);
            Files.writeString(
                    PAGE,
                    before
                            + logged().stream()
                                    .map(message -> "| " + message + " | " + advice.getOrDefault(message, "") + " |\n")
                                    .collect(Collectors.joining()));
        }

        Map<String, String> documented = advice(Files.readString(PAGE));

        assertThat(documented.keySet())
                .as("run this test with -Dmessages=rewrite, and say what to do")
                .containsExactlyElementsOf(logged());
        assertThat(documented)
                .allSatisfy((message, advice) -> assertThat(advice).isNotBlank());
    }

    /** What to do, by level and message as they are written in a row. */
    private static Map<String, String> advice(String page) {
        return page.substring(page.indexOf(HEAD) + HEAD.length())
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(2, line.lastIndexOf('|')).strip())
                .collect(Collectors.toMap(
                        row -> row.substring(0, row.lastIndexOf("` |") + 1),
                        row -> row.substring(row.lastIndexOf("` |") + 3).strip(),
                        (one, another) -> one,
                        LinkedHashMap::new));
    }

    private static SortedSet<String> logged() throws IOException {
        TreeSet<String> messages = new TreeSet<>();
        for (String module : List.of("cle-core", "cle-spring-boot-autoconfigure", "cle-coordinator-app")) {
            try (Stream<Path> sources =
                    Files.walk(JarProcess.ROOT.resolve(module).resolve("src/main/java"))) {
                sources.filter(source -> source.toString().endsWith(".java"))
                        .flatMap(source -> messages(source).stream())
                        .forEach(messages::add);
            }
        }
        return messages;
    }

    private static List<String> messages(Path source) {
        try {
            return CALL.matcher(Files.readString(source))
                    .results()
                    .map(call -> row(call.group(1), text(call.group(2))))
                    .filter(row -> !row.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing for a message that is all placeholders, because its text is elsewhere, and for one that says itself what to do. */
    private static String row(String level, String message) {
        boolean says = Pattern.compile("\\p{L}")
                        .matcher(message.replace("lease {}: {}", ""))
                        .find()
                && !SAYS_WHAT_TO_DO.matcher(message).find();
        return says
                ? level.toUpperCase(Locale.ROOT) + " | `"
                        + beginning(message.replace("{}", "…").replace("|", "\\|")) + "`"
                : "";
    }

    /** So much of a message that it can be found. */
    private static String beginning(String message) {
        return message.length() <= LONGEST ? message : message.substring(0, message.lastIndexOf(' ', LONGEST)) + " …";
    }

    private static String text(String literals) {
        return LITERAL.matcher(literals)
                .results()
                .map((MatchResult literal) -> literal.group(1))
                .collect(Collectors.joining())
                .replace("\\\"", "\"");
    }
}
