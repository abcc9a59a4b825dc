package io.cle.samples.migration;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.cle.samples.narration.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DemoTest {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

    private String run(Duration limit, int expectedExitCode) {
        Settings settings = Settings.DEFAULT;
        int exitCode = new Demo(new Settings(settings.timings(), Duration.ZERO, settings.patience(), limit), out).run();
        String story = written.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(story).isEqualTo(expectedExitCode);
        return story;
    }

    @Test
    void jobsMoveToTheOtherServiceAndBackAndNeverRunInTwoPlaces() {
        String story = run(Settings.DEFAULT.limit(), Verdict.GOOD);
        assertThat(story)
                .containsSubsequence(
                        "1. Version 1.21",
                        "does exchange-rates, invoices, reminders, stock-report",
                        "2. Still 1.21",
                        "3. Side by side",
                        "4. Version 1.22",
                        "5. Still 1.22",
                        "6. And back",
                        "7. Billing is removed",
                        "does exchange-rates, invoices, reminders, stock-report",
                        "No job ever ran in two places");
        assertThat(story.lines().filter(line -> line.startsWith("  invoices ")))
                .singleElement()
                .asString()
                .matches("  invoices +shop-.*billing-.*shop-.*");
        assertThat(story.lines().filter(line -> line.startsWith("  stock-report ")))
                .singleElement()
                .asString()
                .doesNotContain("billing");
    }

    @Test
    void saysSoWhenItTakesTooLong() {
        assertThat(run(Duration.ofMillis(1), Verdict.UNFINISHED))
                .contains("did not come to its end: it has taken longer");
    }
}
