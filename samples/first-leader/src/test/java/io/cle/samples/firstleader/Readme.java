package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** What README tells a stranger to type, by section. */
final class Readme {

    private final String section;

    private Readme(String section) {
        this.section = section;
    }

    /** A section of README, to the next heading of the same level. */
    static Readme section(String title) {
        try {
            Matcher matcher = Pattern.compile("(?ms)^## " + Pattern.quote(title) + "$(.*?)(?=^## |\\z)")
                    .matcher(Files.readString(JarProcess.ROOT.resolve("README.md")));
            assertThat(matcher.find()).as("README has a section '%s'", title).isTrue();
            return new Readme(matcher.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file that is named, in backquotes, right before a block of code. */
    String file(String path) {
        Matcher matcher = Pattern.compile("(?s)`" + Pattern.quote(path) + "`:\\n+```[a-z]+\\n(.*?)```")
                .matcher(section);
        assertThat(matcher.find()).as("README shows the file %s", path).isTrue();
        return matcher.group(1);
    }

    /** The lines to type into a shell. */
    List<String> commands() {
        return Pattern.compile("(?s)```shell\\n(.*?)```")
                .matcher(section)
                .results()
                .map(MatchResult::group)
                .flatMap(String::lines)
                .filter(line -> !line.startsWith("```"))
                .toList();
    }
}
