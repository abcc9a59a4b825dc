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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.cle.samples.narration.Verdict;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The coordinator's page in a real Chromium, while the demo upgrades its replicas. */
@EnabledIfSystemProperty(
        named = "cle.thorough",
        matches = "true",
        disabledReason = "PageInBrowserTest shows the same page, and DemoTest tells the same story; -Pthorough runs it")
class PageDuringUpgradeTest {

    private static final Pattern ADDRESS = Pattern.compile("live in a browser: (http\\S+)");
    private static final Pattern TABLE_ROW = Pattern.compile("(?m)^ +\\d+ {2}(orders-\\w+) .*$");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Records every leader that the page shows, in order. */
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
    private final List<String> awaited = new CopyOnWriteArrayList<>();
    private volatile List<String> shown = List.of();

    @Test
    void showsTheLeaderOfEachActAndTheCanaryBeforeTheStoryContinues() {
        Path chromium = chromium();
        Settings settings = Settings.DEFAULT.paced(this::awaitOnPage);
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
            await().atMost(PATIENCE).until(() -> ADDRESS.matcher(story()).find());
            Page page = browser.newPage();
            page.navigate(find(ADDRESS));
            page.evaluate(NOTE_LEADERS);

            // Playwright's objects belong to one thread, which dispatches the browser's messages while it waits.
            while (!demo.isDone() && !story().contains("Who led when")) {
                page.waitForTimeout(200);
                shown = leadersOn(page);
            }

            assertThat(demo.join()).as(story()).isEqualTo(Verdict.GOOD);
            assertThat(awaited).hasSize(7);
            assertThat(leadersOfTheStory()).containsSubsequence(leadersOn(page));
        }
    }

    /** Pauses the story until the page shows the leader, however slow the browser is; fails the story if the page doesn't. */
    private void awaitOnPage(String leader) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shown).as("leaders on the page").endsWith(leader));
        awaited.add(leader);
    }

    @SuppressWarnings("unchecked")
    private static List<String> leadersOn(Page page) {
        return (List<String>) page.evaluate("window.leaders");
    }

    private List<String> leadersOfTheStory() {
        String story = story();
        return TABLE_ROW
                .matcher(story.substring(story.indexOf("Who led when")))
                .results()
                .map(row -> row.group(1))
                .toList();
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
