package io.cle.samples.admin;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts applications and a browser; CI=true ./mvnw verify runs it")
class SpringBootAdminTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]{12})\"");

    /** {@code -Dcle.screenshots=docs/images} writes the picture to the documentation. */
    private static final Path PICTURES =
            Path.of(System.getProperty("cle.screenshots", "target/screenshots")).resolve("spring-boot-admin.png");

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static SpringBootAdmin admin;
    private static List<String> replicas;

    @BeforeAll
    static void bothReplicasHaveRegisteredAndOneLeadsEachLease() {
        admin = SpringBootAdmin.start(0);
        await().atMost(PATIENCE).untilAsserted(() -> {
            replicas = ID.matcher(get("/instances"))
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .toList();
            assertThat(replicas).hasSize(2);
            assertThat(leases())
                    .containsOnlyOnce("\"lease\":\"shop/orders\",\"kind\":\"coordinated\",\"role\":\"LEADER\"");
            assertThat(leases())
                    .containsOnlyOnce("\"lease\":\"shop/reports\",\"kind\":\"coordinated\",\"role\":\"LEADER\"");
        });
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    @Test
    void healthAndMetersShowTheLeasesWithoutTheView() throws IOException, InterruptedException {
        assertThat(get("/instances/" + replicas.get(0) + "/actuator/health")).contains("\"leaderElection\"");
        assertThat(get("/instances/" + replicas.get(0) + "/actuator/metrics")).contains("\"cle.terms\"");
    }

    @Test
    void theViewShowsEachLeaseWithItsReplicas() throws IOException {
        Path chromium =
                Path.of(Optional.ofNullable(System.getenv("CLE_CHROMIUM")).orElse("/usr/bin/chromium"));
        Assumptions.assumeTrue(Files.isExecutable(chromium), "skipped: there is no Chromium at " + chromium);
        try (Playwright playwright = Playwright.create(
                        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
                Browser browser = playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(chromium)
                                .setArgs(
                                        List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking")))) {
            Page page = browser.newPage(new Browser.NewPageOptions().setViewportSize(1280, 480));
            page.setDefaultTimeout((double) PATIENCE.toMillis());

            page.navigate(admin.url() + "/instances/" + replicas.get(0) + "/leaderelection");

            page.getByText("shop/reports:").waitFor();
            assertThat(page.getByText("LEADER", new Page.GetByTextOptions().setExact(true)))
                    .hasCount(2);
            assertThat(page.getByText("CANDIDATE", new Page.GetByTextOptions().setExact(true)))
                    .hasCount(2);
            assertThat(page.getByText("bill: RUNNING")).hasCount(1);
            page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES));
        }
    }

    private static String leases() throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        for (String replica : replicas) {
            all.append(get("/instances/" + replica + "/actuator/leaderelection"));
        }
        return all.toString();
    }

    private static String get(String path) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(URI.create(admin.url() + path))
                                .header("Accept", "application/json")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
