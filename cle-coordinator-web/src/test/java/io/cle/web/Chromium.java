package io.cle.web;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import org.junit.jupiter.api.Assumptions;

/** The operating system's Chromium, driven by Playwright. Without one, tests are skipped with a message; CI requires one. */
final class Chromium implements AutoCloseable {

    private static final List<Path> PLACES =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Starts Chromium, or skips the test. */
    static Chromium start() {
        Path program = find();
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        return new Chromium(
                playwright,
                playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(program)
                                .setHeadless(true)
                                .setArgs(List.of(
                                        "--no-sandbox",
                                        "--disable-gpu",
                                        "--disable-quic",
                                        "--no-first-run",
                                        "--disable-background-networking",
                                        "--disable-component-update",
                                        "--disable-sync"))));
    }

    private static Path find() {
        Optional<Path> named =
                Optional.ofNullable(System.getenv("CLE_CHROMIUM")).map(Path::of);
        Optional<Path> found = Stream.concat(named.stream(), PLACES.stream())
                .filter(Files::isExecutable)
                .findFirst();
        if (found.isEmpty() && Boolean.parseBoolean(System.getenv("CLE_REQUIRE_CHROMIUM"))) {
            throw new IllegalStateException("CLE_REQUIRE_CHROMIUM is set, and there is no Chromium: neither "
                    + named.map(Path::toString).orElse("by CLE_CHROMIUM") + " nor in " + PLACES);
        }
        Assumptions.assumeTrue(
                found.isPresent(), "skipped, because there is no Chromium: install one, or name it by CLE_CHROMIUM");
        return found.orElseThrow();
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        playwright.close();
    }
}
