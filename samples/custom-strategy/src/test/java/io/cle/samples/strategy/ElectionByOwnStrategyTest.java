package io.cle.samples.strategy;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;

import io.cle.CoordinatedLeaseLock;
import io.cle.strategy.ElectionStrategy;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * The real coordinator, started with this project's classes on its path, elects by the strategy that applications
 * request. The strategy isn't on the applications' own path, as with another team's application.
 */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts processes: run it with CI=true ./mvnw verify, as .ci/run does")
class ElectionByOwnStrategyTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An application with the starter. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Orders {}

    /** A class path that lists no strategies. */
    private static final class WithoutStrategies extends ClassLoader {

        WithoutStrategies() {
            super(ElectionByOwnStrategyTest.class.getClassLoader());
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.endsWith(ElectionStrategy.class.getName())
                    ? Collections.emptyEnumeration()
                    : super.getResources(name);
        }
    }

    @ParameterizedTest(name = "native format: {0}")
    @ValueSource(booleans = {false, true})
    void aReleaseTakesTheLeadFromAReleaseCandidateOfANewerVersion(boolean nativeFormat, @TempDir Path directory)
            throws IOException {
        assumeThat(CoordinatorProcess.JAR)
                .as("the coordinator's jar; it is there after ./mvnw package")
                .exists();
        try (EmbeddedApiServer server =
                        EmbeddedApiServer.builder().serveNative(nativeFormat).start();
                CoordinatorProcess coordinator = CoordinatorProcess.start(
                        classes(), server.url(), Files.createFile(directory.resolve("coordinator.log")));
                ConfigurableApplicationContext candidate = application(server, "2.0.0-rc.1")) {
            CoordinatedLeaseLock releaseCandidate = candidate.getBean(CoordinatedLeaseLock.class);
            await().atMost(PATIENCE).until(releaseCandidate::isLeader);
            try (ConfigurableApplicationContext released = application(server, "1.9.0")) {
                CoordinatedLeaseLock release = released.getBean(CoordinatedLeaseLock.class);
                await().atMost(PATIENCE).until(release::isLeader);

                assertThat(releaseCandidate.isLeader()).isFalse();
                assertThat(release.snapshot().observed().strategy()).isEqualTo("example.com.NewestRelease");
                assertThat(coordinator.log())
                        .contains("orders-1.9.0 (compatibility version 1.9.0) is better than orders-2.0.0-rc.1")
                        .contains("by example.com.NewestRelease (asked for by the candidates)");
            }
        }
    }

    /** Returns the directory of this project's classes and of the file that names the strategy. */
    private static Path classes() {
        return Path.of("target", "classes").toAbsolutePath();
    }

    private static ConfigurableApplicationContext application(EmbeddedApiServer server, String version) {
        return new SpringApplicationBuilder(Orders.class)
                .resourceLoader(new DefaultResourceLoader(new WithoutStrategies()))
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .run(
                        "--cle.kubernetes.base-url=" + server.url(),
                        "--cle.namespace=shop",
                        "--cle.lease-name=orders",
                        "--cle.identity=" + version,
                        "--cle.candidate.binary-version=" + version,
                        "--cle.candidate.strategy=example.com.NewestRelease",
                        "--cle.fallback.enabled=false");
    }
}
