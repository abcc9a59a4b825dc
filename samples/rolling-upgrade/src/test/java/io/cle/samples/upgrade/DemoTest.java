package io.cle.samples.upgrade;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.cle.Timings;
import io.cle.samples.narration.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DemoTest {

    private static final Pattern TABLE_ROW = Pattern.compile("(?m)^ +\\d+ {2}orders-(\\w+) +(\\d\\.\\d\\.\\d) .*$");

    /**
     * Long enough that a leader on a busy machine doesn't lose its lease: the table below has exactly the terms of the story.
     */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(10), Duration.ofSeconds(8), Duration.ofMillis(500));

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

    @Test
    void tellsOfAnUpgradeWithACrashAndARollBackAndExitsWithZeroBecauseNeverTwoLedAtOnce() {
        Settings settings =
                new Settings(PATIENT, Settings.DEFAULT.pace(), Settings.DEFAULT.limit(), false).pausing(Duration.ZERO);

        int exitCode = new Demo(settings, out).run();

        String story = written.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(story).isEqualTo(Verdict.GOOD);
        assertThat(story)
                .containsSubsequence(
                        "1. Three replicas of version 1.1.0",
                        "orders-a (1.1.0) leads",
                        "2. A replica of version 1.0.0 joins",
                        "orders-d (1.0.0) leads",
                        "3. The leader is killed without warning",
                        "orders-d (1.0.0) is killed",
                        "4. A canary of version 1.2.0",
                        "annotate lease orders --overwrite coordination.k8s.io/strategy=NewestCompatibilityVersion",
                        "orders-canary (1.2.0) leads",
                        "(1.1.0) leads",
                        "5. A rolling upgrade to 1.2.0",
                        "has marked its pod (pod-deletion-cost: 1)",
                        "6. Roll-back to 1.1.0",
                        "orders-h (1.1.0) leads",
                        "Who led when",
                        "Never two led at once");
        assertThat(versionsInTable(story))
                .as("the upgrade moves leadership once")
                .containsExactly("1.1.0", "1.0.0", "1.1.0", "1.2.0", "1.1.0", "1.2.0", "1.1.0");
    }

    @Test
    void saysSoWhenItTakesTooLong() {
        Settings settings =
                new Settings(Settings.DEFAULT.timings(), Settings.DEFAULT.pace(), Duration.ofMillis(1), false);

        int exitCode = new Demo(settings, out).run();

        assertThat(exitCode).isEqualTo(Verdict.UNFINISHED);
        assertThat(written.toString(StandardCharsets.UTF_8)).contains("did not come to its end: it has taken longer");
    }

    private static List<String> versionsInTable(String story) {
        return TABLE_ROW
                .matcher(story.substring(story.indexOf("Who led when")))
                .results()
                .map((MatchResult row) -> row.group(2))
                .toList();
    }
}
