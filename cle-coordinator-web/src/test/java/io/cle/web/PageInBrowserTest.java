package io.cle.web;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.WatchStatus;
import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.Snapshots;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageInBrowserTest {

    /** Playwright's own 5 s are too short for a busy machine. */
    private static final double PATIENCE_MILLIS = 30_000;

    private static final Path REPORTS = Path.of("target/screenshots");

    /** All pages, and as many leases as a large cluster has, with {@code -Pthorough}. */
    private static final boolean THOROUGH = Boolean.getBoolean("cle.thorough");

    /** {@code -Dcle.screenshots=docs/images} writes them into the documentation. */
    private static final Path PICTURES = Path.of(System.getProperty("cle.screenshots", REPORTS.toString()));

    private static final String HOSTILE =
            "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>'\"${7*7}[[${7*7}]]";

    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final Map<Device, BrowserContext> contexts = new EnumMap<>(Device.class);
    private final List<String> failures = new ArrayList<>();
    private Chromium chromium;
    private PageServer server;
    private Page page;

    /** On your machine: {@code CI=true ./mvnw verify}. */
    @Retention(RetentionPolicy.RUNTIME)
    @EnabledIfEnvironmentVariable(
            named = "CI",
            matches = "true",
            disabledReason = "takes minutes: run it with CI=true ./mvnw verify")
    private @interface InCi {}

    /** A device that displays pages. Each has one window, whose pages come and go. */
    private enum Device {
        DESKTOP(new Browser.NewContextOptions().setViewportSize(1280, 800)),
        PHONE(new Browser.NewContextOptions()
                .setViewportSize(390, 844)
                .setIsMobile(true)
                .setHasTouch(true));

        private final Browser.NewContextOptions options;

        Device(Browser.NewContextOptions options) {
            this.options = options;
        }
    }

    @BeforeAll
    void start() {
        chromium = Chromium.start();
        server = PageServer.start(0, coordinator);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    }

    @AfterAll
    void stop() {
        if (chromium != null) {
            chromium.close();
            server.close();
        }
    }

    @BeforeEach
    void open() {
        coordinator.forget();
        open(Device.DESKTOP);
    }

    private void open(Device device) {
        if (page != null) {
            page.close();
        }
        page = contexts.computeIfAbsent(device, unused -> chromium.browser().newContext(device.options))
                .newPage();
        failures.clear();
        page.onPageError(failures::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                failures.add(message.text());
            }
        });
    }

    /** Opens a page of the server that all tests share, once the server no longer shows an earlier state. */
    private void navigate(String path) {
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    page.request().get(server.url() + "/actuator/elections");
                    return coordinator.wasReadSinceTheLastChange();
                });
        page.navigate(server.url() + path);
    }

    private void led(String namespace, String name, String leader) {
        Instant since = Instant.now();
        coordinator.know(
                namespace,
                name,
                lease -> lease.candidate(leader, "1.0.0")
                        .candidate(name + "-other", "1.1.0")
                        .ledBy(leader, Duration.between(since, Instant.now())));
    }

    private void vacant(String namespace, String name) {
        coordinator.know(namespace, name, lease -> lease);
    }

    private Locator row(String text) {
        return page.locator("#leases tbody tr").filter(new Locator.FilterOptions().setHasText(text));
    }

    private void overview(String query) {
        navigate("/" + query);
    }

    private void live() {
        assertThat(page.locator("#connection[data-state=live]")).isVisible();
    }

    private void hostile() {
        coordinator.know(
                "shop",
                "orders",
                lease -> lease.candidate(HOSTILE, "1.0.0")
                        .ledBy(HOSTILE, Duration.ofSeconds(5))
                        .problem(HOSTILE)
                        .decided(Duration.ofSeconds(5), HOSTILE));
    }

    /** Runs in each build; CI runs all tests. */
    @Nested
    class InEachBuild {

        @Test
        void theOverviewShowsALeaseWithItsLeaderAndLinksToItsPage() {
            led("shop", "orders", "pod-a");
            overview("");

            assertThat(row("orders")).containsText("led");
            assertThat(row("orders")).containsText("pod-a");
            row("orders").getByRole(AriaRole.LINK).click();
            assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                    .containsText("orders");
            assertThat(page.locator("#leader")).hasText("pod-a");
        }

        @Test
        void theLivePageShowsTheNextLeaderWithoutAReload() {
            led("shop", "orders", "pod-a");
            overview("");
            live();
            page.evaluate("window.marked = true");

            led("shop", "orders", "pod-b");

            assertThat(row("orders")).containsText("pod-b");
            assertThat(page.evaluate("window.marked")).isEqualTo(true);
        }

        @Test
        void strangersExecuteNothing() {
            hostile();

            overview("");
            live();
            assertThat(row("orders")).containsText(HOSTILE);
            navigate("/leases/shop/orders");
            live();
            assertThat(page.locator("#leader")).hasText(HOSTILE);
            assertThat(page.locator("#decisions-card")).containsText(HOSTILE);

            assertThat(page.evaluate("window.pwned")).isNull();
            assertThat(page.locator("img[src=x]")).hasCount(0);
            assertThat(failures).isEmpty();
        }
    }

    @Nested
    @InCi
    class Overview {

        @Test
        void theOverviewSearchesWhileAPersonTypesAndKeepsTheSearchInTheUrl() {
            led("shop", "orders", "pod-a");
            led("shop", "invoices", "pod-i");
            overview("");
            live();

            page.locator("#q").pressSequentially("invo");

            assertThat(row("orders")).hasCount(0);
            assertThat(row("invoices")).hasCount(1);
            assertThat(page.locator("#q")).isFocused();
            assertThat(page.locator("#q")).hasValue("invo");
            assertThat(page).hasURL(Pattern.compile("q=invo"));
        }

        @Test
        void theOverviewSortsByTheColumnThatIsClicked() {
            led("shop", "orders", "a");
            led("shop", "invoices", "b");
            overview("");
            assertThat(page.locator("#leases tbody tr").first()).containsText("invoices");

            page.locator("#sort-leader").click();
            assertThat(page.locator("#leases tbody tr").first()).containsText("orders");
            page.locator("#sort-leader").click();
            assertThat(page.locator("#leases tbody tr").first()).containsText("invoices");
            assertThat(page.locator("#column-leader")).hasAttribute("aria-sort", "descending");
        }

        @Test
        void theOverviewFiltersByStateAndNamespaceByUrl() {
            led("shop", "orders", "a");
            led("billing", "reports", "a");
            vacant("shop", "invoices");
            overview("?namespace=shop&state=led");

            assertThat(page.locator("#leases tbody tr")).hasCount(1);
            assertThat(row("orders")).hasCount(1);
            assertThat(page.locator("#applied")).containsText("namespace shop");
            page.locator("#any-namespace").click();
            assertThat(page.locator("#leases tbody tr")).hasCount(2);
        }

        @Test
        void theOverviewLeadsFromALeaseThatNobodyWantsToTheCommandThatDeletesIt() {
            vacant("shop", "invoices");
            overview("");
            assertThat(page.locator("#attention")).containsText("waiting for a candidate: there is none");

            row("invoices").locator("th a").click();

            assertThat(page.locator("h1")).containsText("invoices");
            assertThat(page.locator("#commands-card")).containsText("kubectl delete lease -n shop invoices");
        }

        @Test
        void theOverviewNeedsNoAttentionForACandidateThatDoesNotAcknowledgeWhileAnotherLeads() {
            coordinator.know(
                    "shop",
                    "orders",
                    lease -> lease.candidate(
                                    Snapshots.candidate(new ObjectKey("shop", "orders"), "orders-gone", "0.9.0"),
                                    Answer.SILENT)
                            .candidate("orders-h", "1.0.0")
                            .ledBy("orders-h", Duration.ofMinutes(1)));
            overview("");

            assertThat(page.locator("#attention")).containsText("Nothing needs attention");
            assertThat(row("orders").locator(".leader")).hasText("orders-h");
        }

        @Test
        void theOverviewLeadsFromAProblemToItsLeases() {
            vacant("shop", "orders");
            vacant("shop", "invoices");
            led("shop", "zebras", "a");
            overview("");
            live();

            page.locator("#attention-0").click();

            assertThat(page.locator("#leases tbody tr")).hasCount(2);
            assertThat(page).hasURL(Pattern.compile("state=no-leader"));
        }

        @Test
        void theOverviewListsFirstWhatIsWrong() {
            led("shop", "orders", "a");
            vacant("shop", "invoices");
            overview("");

            assertThat(page.locator("#attention")).containsText("1 lease needs attention");
            assertThat(page.locator("#attention")).containsText("waiting for a candidate");
        }
    }

    @Nested
    @InCi
    class Groups {

        private Locator cells() {
            return page.locator("#groups .strip i");
        }

        @Test
        void aGroupIsAStripWithACellForEachShardAndALegend() {
            Showcase.addShards(coordinator, 16, 4, false);
            led("shop", "orders", "pod-a");
            overview("");

            assertThat(cells()).hasCount(16);
            assertThat(cells().nth(1)).hasText(Pattern.compile("[A-D]"));
            assertThat(cells().nth(1)).hasAttribute("title", Pattern.compile("1: carts-.*"));
            assertThat(page.locator("#groups .legend li")).hasCount(4);
            assertThat(page.locator("#groups .legend li").first()).containsText("4");
            assertThat(page.locator("#groups .sums")).containsText("16 shards, 16 led");
            assertThat(page.getByRole(AriaRole.IMG)).isVisible();
            assertThat(page.locator("#leases tbody tr")).hasCount(1);
            assertThat(failures).isEmpty();
        }

        @Test
        void aGroupIsExpandedToTheLeasesOfItsShardsAndBack() {
            Showcase.addShards(coordinator, 16, 4, false);
            led("shop", "orders", "pod-a");
            overview("");
            live();

            page.locator("#groups h3 a").click();
            assertThat(page.locator("#leases tbody tr")).hasCount(16);
            assertThat(page).hasURL(Pattern.compile("group=shop%2Fcarts"));
            row("carts-16-3").locator("th a").click();
            assertThat(page.locator("h1")).containsText("carts-16-3");
            page.locator("#up-group").click();
            assertThat(page.locator("#leases tbody tr")).hasCount(16);
            live();
            page.locator("#any-group").click();
            assertThat(page.locator("#leases tbody tr")).hasCount(1);
        }

        @Test
        void aGroupSaysWhatIsWrongAndLeadsToTheShards() {
            Showcase.addShards(coordinator, 16, 4, true);
            overview("");
            live();

            assertThat(page.locator("#groups .sums")).containsText("15 led, 2 moving, 1 without a leader");
            assertThat(page.locator("#groups .problem")).containsText("1 candidate asks for 32 shards");
            assertThat(page.locator("#attention")).containsText("1 candidate asks for 32 shards");
            page.locator("#groups .sums .vacant").click();
            assertThat(page.locator("#leases tbody tr")).hasCount(1);
            assertThat(row("carts-16-11")).containsText("no leader");
        }

        @Test
        void aGroupShowsAMoveWithoutAReload() {
            Showcase.addShards(coordinator, 16, 4, true);
            overview("");
            live();
            assertThat(page.locator("#groups .strip i.moving")).hasCount(2);

            Showcase.addShards(coordinator, 16, 4, false);

            assertThat(page.locator("#groups .strip i.moving")).hasCount(0);
        }

        @Test
        void aGroupOfManyShardsFillsFewScreensOfAPhone() {
            int shards = THOROUGH ? 1000 : 500;
            Showcase.addShards(coordinator, shards, 20, false);
            open(Device.PHONE);
            for (String query : List.of("", "?group=shop/carts")) {
                overview(query);
                live();

                assertThat(cells()).hasCount(shards);
                assertThat(((Number) page.evaluate("document.documentElement.scrollHeight")).intValue())
                        .as(query)
                        .isLessThan(4 * 844);
                assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                        .isEqualTo(true);
            }
            if (THOROUGH) {
                assertPassesAxesRules("the leases of a group");
            }
        }
    }

    @Nested
    @InCi
    class Live {

        @Test
        void theLivePageShowsThatALeaseLosesItsLeaderAndGetsItBack() {
            led("shop", "orders", "pod-a");
            navigate("/leases/shop/orders");
            live();
            assertThat(page.locator("#leader")).hasText("pod-a");

            vacant("shop", "orders");
            assertThat(page.locator("#leader")).hasText("No leader");
            led("shop", "orders", "pod-a");
            assertThat(page.locator("#leader")).hasText("pod-a");
        }

        @Test
        void theLivePageKeepsScrollAndFocus() {
            for (int i = 0; i < 60; i++) {
                led("shop", "lease-%02d".formatted(i), "a");
            }
            overview("");
            live();
            Locator link = row("lease-40").getByRole(AriaRole.LINK);
            link.focus();
            Object scrolled = page.evaluate("scrollY");
            assertThat(((Number) scrolled).intValue()).isPositive();

            led("shop", "lease-41", "another-leader");

            assertThat(row("lease-41")).containsText("another-leader");
            assertThat(link).isFocused();
            assertThat(page.evaluate("scrollY")).isEqualTo(scrolled);
        }

        @Test
        void theLivePageKeepsTheFocusOfARowThatMoves() {
            led("shop", "orders", "a");
            led("shop", "zebras", "a");
            overview("");
            live();
            Locator link = row("zebras").locator("th a");
            link.focus();

            vacant("shop", "zebras");

            assertThat(page.locator("#leases tbody tr").first()).containsText("zebras");
            assertThat(link).isFocused();
        }

        @Test
        void theLivePageSaysThatTheConnectionIsGoneAndHowOldThePageIs() {
            led("shop", "orders", "pod-a");
            try (PageServer ending = PageServer.start(0, coordinator)) {
                page.navigate(ending.url());
                live();
            }

            assertThat(page.locator("#connection")).containsText("Connection lost at");
            assertThat(page.locator("#connection-age")).containsText("s old");
        }

        @Test
        void theLivePageSaysThatItIsLiveAgainAfterTheServerHasStoppedAnswering() {
            led("shop", "orders", "pod-a");
            page.clock().install();
            overview("");
            live();

            coordinator.answering(false);
            page.clock().fastForward("00:10");
            assertThat(page.locator("#connection[data-state=lost]")).isVisible();
            coordinator.answering(true);
            live();
        }
    }

    @Nested
    @InCi
    class TimeLine {

        @Test
        void timeLineIsZoomedByUrlAndStaysSoWhenThePageIsUpdated() {
            Showcase.addWeeks(coordinator);
            navigate("/leases/shop/prices");
            assertThat(page.locator("#availability")).containsText("99.999 % of the last 24 d; 23 gaps, 14 s in sum");

            page.locator("#span-4w").click();
            assertThat(page.locator("#availability")).containsText("99.999 % of the 24 d that are known");
            page.locator("#span-1h").click();
            live();
            assertThat(page.locator("#availability")).containsText("100 % of the last 1 h; no gap");
            led("shop", "prices", "another");
            assertThat(page.locator("#leader")).hasText("another");
            assertThat(page.locator("#span-1h")).hasAttribute("aria-current", "true");
        }
    }

    @Nested
    @InCi
    class Strangers {

        @Test
        void strangersExecuteNothingWhenTheyComeByALiveUpdate() {
            led("shop", "orders", "pod-a");
            overview("");
            live();

            hostile();

            assertThat(row("orders")).containsText(HOSTILE);
            assertThat(page.evaluate("window.pwned")).isNull();
            assertThat(failures).isEmpty();
        }

        @Test
        void strangersCouldNotRunAScriptEvenIfAnEscapeWereForgotten() {
            overview("");

            Object ran = page.evaluate(
                    "() => { const script = document.createElement('script');"
                            + " script.textContent = 'window.pwned = 1'; document.body.append(script); return window.pwned ?? null; }");

            assertThat(ran).isNull();
            // The browser reports it asynchronously.
            page.waitForCondition(() -> !failures.isEmpty());
            assertThat(failures).anySatisfy(text -> assertThat(text).contains("Content Security Policy"));
        }
    }

    @Nested
    @InCi
    class ForEverybody {

        @Test
        void thePagePassesAxesRulesInLightAndInDark() {
            Showcase.fill(coordinator);
            Showcase.addWeeks(coordinator);
            for (String path : THOROUGH
                    ? List.of(
                            "/",
                            "/leases/shop/orders",
                            "/leases/shop/invoices",
                            "/leases/shop/prices?span=4w",
                            "/leases/no/such")
                    : List.of("/", "/leases/shop/orders")) {
                navigate(path);
                live();
                assertPassesAxesRules(path);
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
                // Only the colors differ.
                assertThat(axe().withRules(List.of("color-contrast", "link-in-text-block"))
                                .analyze()
                                .getViolations())
                        .as("in dark mode: " + path)
                        .isEmpty();
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
            }
        }

        @Test
        void thePagePassesAxesRulesOnAPhoneWithoutScrollingSideways() {
            Showcase.fill(coordinator);
            Showcase.addWeeks(coordinator);
            open(Device.PHONE);
            for (String path : THOROUGH
                    ? List.of("/", "/leases/shop/orders", "/leases/shop/prices?span=4w")
                    : List.of("/leases/shop/prices?span=4w")) {
                navigate(path);
                live();

                assertPassesAxesRules(path);
                assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                        .as(path)
                        .isEqualTo(true);
            }
        }

        @Test
        void thePageWorksByKeyboard() {
            led("shop", "orders", "pod-a");
            overview("");
            live();

            page.keyboard().press("Tab");
            assertThat(page.locator(".skip")).isFocused();
            page.keyboard().press("Enter");
            for (int i = 0;
                    i < 30
                            && !row("orders")
                                    .getByRole(AriaRole.LINK)
                                    .evaluate("link => link === document.activeElement")
                                    .equals(true);
                    i++) {
                page.keyboard().press("Tab");
            }
            page.keyboard().press("Enter");

            assertThat(page.locator("#leader")).hasText("pod-a");
        }
    }

    @Nested
    @InCi
    class AStandby {

        @Test
        void aStandbySaysWhichReplicaCoordinates() {
            led("shop", "orders", "pod-a");
            coordinator.change(snapshot -> new CoordinatorSnapshot(
                    snapshot.time(),
                    false,
                    "coordinator-2",
                    snapshot.watches(),
                    snapshot.policy(),
                    snapshot.format(),
                    snapshot.leases()));
            overview("");

            assertThat(page.locator("#standby")).containsText("coordinator-2 coordinates");
            assertThat(row("orders")).containsText("pod-a");
        }
    }

    @Nested
    @InCi
    class Failures {

        @Test
        void thePageSaysThatTheApiServerIsAway() {
            led("shop", "orders", "pod-a");
            coordinator.change(PageInBrowserTest::cutOff);
            overview("");

            assertThat(page.locator("#outage")).containsText("The API server can't be watched");
            assertThat(page.locator("#outage")).containsText("connection refused");
        }

        @Test
        void thePageSaysThatTheCoordinatorDoesNotAnswer() {
            coordinator.answering(false);

            page.navigate(server.url());

            assertThat(page.getByRole(AriaRole.HEADING)).hasText("The coordinator doesn't answer");
        }
    }

    private static CoordinatorSnapshot cutOff(CoordinatorSnapshot snapshot) {
        return new CoordinatorSnapshot(
                snapshot.time(),
                true,
                "coordinator-1",
                List.of(new WatchStatus(
                        "leases",
                        true,
                        snapshot.time().minusSeconds(42),
                        "connection refused: the API server at 10.0.0.1:443")),
                snapshot.policy(),
                snapshot.format(),
                snapshot.leases());
    }

    private void assertPassesAxesRules(String description) {
        assertThat(axe().analyze().getViolations()).as(description).isEmpty();
    }

    /** Needs no second window, which is for pages with frames. */
    private AxeBuilder axe() {
        return new AxeBuilder(page).setLegacyMode(true);
    }

    @Nested
    @InCi
    class ManyOfThem {

        @ParameterizedTest
        @ValueSource(strings = {"", "?state=no-leader"})
        void manyOfThemFillFewScreensOfAPhone(String query) {
            coordinator.know(ManyLeases.of(THOROUGH ? 5000 : 200));
            open(Device.PHONE);
            overview(query);
            live();

            assertThat(page.locator("#leases tbody tr")).not().hasCount(0);
            assertThat(((Number) page.evaluate("document.documentElement.scrollHeight")).intValue())
                    .isLessThan(3 * 844);
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
        }

        @Test
        void manyOfThemPassAxesRules() {
            coordinator.know(ManyLeases.of(200));
            open(Device.PHONE);
            overview("");
            live();

            assertPassesAxesRules("200 leases");
        }
    }

    // ---- screenshots for the documentation -----------------------------------------------------------------------

    @Test
    @EnabledIfSystemProperty(
            named = "cle.thorough",
            matches = "true",
            disabledReason = "for the documentation; -Pthorough makes them")
    void makesTheScreenshotsOfTheDocumentation() throws Exception {
        Showcase.fill(coordinator);
        shoot("overview-light", "/", ColorScheme.LIGHT, 960);
        shoot("overview-dark", "/", ColorScheme.DARK, 960);
        shootOnPhone(PICTURES, "overview-phone", "/", ColorScheme.LIGHT);
        shoot("lease", "/leases/shop/orders", ColorScheme.LIGHT, 1500);
        shoot("lease-without-leader", "/leases/shop/invoices", ColorScheme.LIGHT, 760);
        coordinator.change(PageInBrowserTest::cutOff);
        shoot("api-server-away", "/", ColorScheme.LIGHT, 640);
        coordinator.change(UnaryOperator.identity());
        Showcase.addWeeks(coordinator);
        shoot("lease-weeks", "/leases/shop/prices?span=4w#timeline", ColorScheme.LIGHT, 900);
        coordinator.forget();
        Showcase.addShards(coordinator, 16, 4, true);
        shoot("shards", "/", ColorScheme.LIGHT, 620);
        coordinator.forget();
        Showcase.addShards(coordinator, 1000, 30, false);
        shoot(REPORTS, "shards-1000", "/?group=shop/carts", ColorScheme.DARK, 900);
        shootOnPhone(REPORTS, "shards-1000-phone", "/", ColorScheme.LIGHT);
        many(200, PICTURES);
        many(5000, REPORTS);
    }

    private void many(int count, Path directory) throws Exception {
        coordinator.know(ManyLeases.of(count));
        String name = "overview-" + count;
        shoot(directory, name, "/", ColorScheme.LIGHT, 900);
        shootOnPhone(directory, name + "-phone", "/", ColorScheme.DARK);
    }

    private void shoot(String name, String path, ColorScheme scheme, int height) throws Exception {
        shoot(PICTURES, name, path, scheme, height);
    }

    private void shoot(Path directory, String name, String path, ColorScheme scheme, int height) throws Exception {
        open(Device.DESKTOP);
        page.setViewportSize(1200, height);
        shoot(directory, name, path, scheme);
    }

    private void shootOnPhone(Path directory, String name, String path, ColorScheme scheme) throws Exception {
        open(Device.PHONE);
        shoot(directory, name, path, scheme);
    }

    private void shoot(Path directory, String name, String path, ColorScheme scheme) throws Exception {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        navigate(path);
        live();
        Files.createDirectories(directory);
        Path file = directory.resolve(name + ".png");
        SmallPng.write(page.screenshot(), file);
        assertThat(file).isNotEmptyFile();
        assertThat(Files.size(file)).as(name).isLessThan(100 * 1024);
    }
}
