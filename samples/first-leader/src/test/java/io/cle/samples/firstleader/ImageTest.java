package io.cle.samples.firstleader;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.LoopbackPorts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests the coordinator's image from its layers, without downloading the base, which has a JRE and nothing of ours. */
@EnabledIf(value = "built", disabledReason = "the image's layers are not built: run ./mvnw verify")
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts processes; CI=true ./mvnw verify runs it")
class ImageTest {

    private static final Path STRATEGY = JarProcess.ROOT.resolve("samples/custom-strategy/target/custom-strategy.jar");

    @TempDir
    static Path folder;

    private static CoordinatorImage image;

    static boolean built() {
        return CoordinatorImage.built();
    }

    @BeforeAll
    static void unpack() throws Exception {
        image = CoordinatorImage.unpack(folder);
    }

    @Test
    void startsAsNobodyAndExposesThePortOfTheProbes() {
        assertThat(image.user()).matches("[1-9]\\d+:[1-9]\\d+");
        assertThat(image.ports()).containsExactly("8081/tcp");
    }

    @Test
    void endsWhenItIsOutOfMemoryWhateverAUserSetsAsJavaToolOptions() {
        assertThat(image.entrypoint()).startsWith("java", "-XX:+ExitOnOutOfMemoryError");
    }

    @Test
    void itsContentsAndTheirLicencesAreInIt() throws Exception {
        assertThat(Files.readString(image.file("/app/resources/META-INF/sbom/application.cdx.json")))
                .contains("CycloneDX", "pkg:maven/io.kubernetes/client-java@");
    }

    @Test
    void theCoordinatorOfItsLayersIsReadyAndKnowsTheStrategiesThatAreMounted() throws Exception {
        Path strategies = Files.createDirectories(image.file("/strategies"));
        Files.copy(STRATEGY, strategies.resolve("custom-strategy.jar"));
        int probes = LoopbackPorts.free();
        Path output = folder.resolve("coordinator.log");
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                JarProcess coordinator = image.start(
                        Map.of("MANAGEMENT_SERVER_PORT", String.valueOf(probes)),
                        output,
                        List.of("--server.port=0", "--cle.kubernetes.base-url=" + server.url()))) {
            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(status(probes)).isEqualTo(200));

            assertThat(coordinator.output()).contains("NewestRelease");
        }
    }

    private static int status(int probes) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + probes + "/actuator/health/readiness"))
                                .timeout(Duration.ofSeconds(5))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
