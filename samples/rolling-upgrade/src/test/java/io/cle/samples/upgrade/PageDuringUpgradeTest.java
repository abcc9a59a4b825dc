package io.cle.samples.upgrade;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.cle.samples.narration.Verdict;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The coordinator's page in a real Chromium, while the demo upgrades its replicas. */
class PageDuringUpgradeTest {

    private static final Pattern ADDRESS = Pattern.compile("live in a browser: (http\\S+)");
    private static final Pattern TABLE_ROW = Pattern.compile("(?m)^ +\\d+ {2}(orders-\\w) +\\S+ +(\\S+) +(\\S+) .*$");

    /** The page promises a change within a second. In an upgrade a replica may lead for less than that. */
    private static final long LONG_ENOUGH_TO_SEE = 2000;

    /** Notes every leader that the page shows, in order. */
    private static final String NOTE_LEADERS = """
            () => {
              window.leaders = [];
              const note = () => {
                const leader = document.getElementById('leader');
                const name = leader && !leader.classList.contains('vacant') ? leader.textContent : null;
                if (name && leaders.at(-1) !== name) { leaders.push(name); }
              };
              new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
              note();
            }""";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void showsEachLeaderAsItChanges() {
        Path chromium = chromium();
        Settings settings = Settings.DEFAULT.pausing(Duration.ofSeconds(2));
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        CompletableFuture<Integer> demo = CompletableFuture.supplyAsync(() -> new Demo(settings, out).run());
        try (Playwright playwright = Playwright.create(
                        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
                Browser browser = playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(chromium)
                                .setArgs(
                                        List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking")))) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> ADDRESS.matcher(story()).find());
            Page page = browser.newPage();
            page.navigate(find(ADDRESS));
            page.evaluate(NOTE_LEADERS);

            // Playwright's objects belong to one thread, which keeps the browser's messages flowing while it waits.
            while (!demo.isDone() && !story().contains("Who led when")) {
                page.waitForTimeout(200);
            }

            List<Term> terms = termsOfTheStory(demo.join());
            @SuppressWarnings("unchecked")
            List<String> shown = (List<String>) page.evaluate("window.leaders");
            assertThat(terms.stream().map(Term::leader)).containsSubsequence(shown);
            assertThat(shown)
                    .containsSubsequence(terms.stream()
                            .filter(term -> term.millis() >= LONG_ENOUGH_TO_SEE)
                            .map(Term::leader)
                            .toList());
        }
    }

    private record Term(String leader, long millis) {}

    private List<Term> termsOfTheStory(int exitCode) {
        String story = story();
        assertThat(exitCode).as(story).isEqualTo(Verdict.GOOD);
        return TABLE_ROW
                .matcher(story.substring(story.indexOf("Who led when")))
                .results()
                .map(row -> new Term(
                        row.group(1),
                        row.group().contains("(still leads)")
                                ? LONG_ENOUGH_TO_SEE
                                : millis(row.group(3)) - millis(row.group(2))))
                .toList();
    }

    private static long millis(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    private String story() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private String find(Pattern pattern) {
        Matcher matcher = pattern.matcher(story());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static Path chromium() {
        Path program = Path.of(Objects.requireNonNullElse(System.getenv("CLE_CHROMIUM"), "/usr/bin/chromium"));
        boolean found = Files.isExecutable(program);
        if (!found && Boolean.parseBoolean(System.getenv("CLE_REQUIRE_CHROMIUM"))) {
            throw new IllegalStateException("CLE_REQUIRE_CHROMIUM is set, and there is no Chromium at " + program);
        }
        Assumptions.assumeTrue(found, "skipped, because there is no Chromium: install one, or name it by CLE_CHROMIUM");
        return program;
    }
}
