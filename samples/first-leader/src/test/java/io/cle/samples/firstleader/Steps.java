package io.cle.samples.firstleader;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The files and commands that a section of a page tells a new user to type. */
final class Steps {

    private final String page;
    private final String section;

    private Steps(String page, String section) {
        this.page = page;
        this.section = section;
    }

    /** Returns the steps of {@code docs/first-leader.md}. */
    static Steps firstLeader() {
        return of("docs/first-leader.md", "Step by step");
    }

    /** Returns the steps of a section, which ends at the next heading of the same level. */
    static Steps of(String page, String title) {
        Matcher matcher = Pattern.compile("(?ms)^## " + Pattern.quote(title) + "$(.*?)(?=^## |\\z)")
                .matcher(Pages.read(page));
        assertThat(matcher.find()).as("%s has a section '%s'", page, title).isTrue();
        return new Steps(page, matcher.group(1));
    }

    /** Returns the file whose name, in backquotes, is right before its block of code. */
    String file(String path) {
        Matcher matcher = Pattern.compile("(?s)`" + Pattern.quote(path) + "`:\\n+```[a-z]+\\n(.*?)```")
                .matcher(section);
        assertThat(matcher.find()).as("%s shows the file %s", page, path).isTrue();
        return matcher.group(1);
    }

    /** Returns the lines to type into a shell. */
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
