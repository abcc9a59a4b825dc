package io.cle.samples.firstleader;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;

import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.memory.RequestCounts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs the build's candidate and coordinator with different JVMs and options. A JDK 25 is located by the environment
 * variable {@code JAVA_HOME_25} or in {@code /usr/lib/jvm}; without one, its tests are skipped.
 */
@BuildsApplications
class RuntimesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Path THIS_JDK = Path.of(System.getProperty("java.home"));

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final List<JarProcess> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        processes.forEach(JarProcess::close);
        server.close();
    }

    private JarProcess start(Path jdk, Path jar, List<String> jvm, String... arguments) {
        List<String> command = new ArrayList<>(jvm);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar.toString()));
        command.addAll(Arrays.asList(arguments));
        Path kubeconfig = server.writeKubeconfig(folder.resolve("kubeconfig"));
        JarProcess process = JarProcess.java(
                jdk,
                command,
                Map.of("KUBECONFIG", kubeconfig.toString()),
                folder.resolve(jar.getFileName() + ".log"),
                JarProcess.ROOT);
        processes.add(process);
        return process;
    }

    /**
     * Starts both, and waits until the coordinator has elected the candidate.
     *
     * @param probes a free port
     */
    private List<JarProcess> elected(Path jdk, int probes, String option) {
        JarProcess coordinator = start(
                jdk, JarProcess.COORDINATOR, List.of(option), "--server.port=0", "--management.server.port=" + probes);
        JarProcess candidate = start(
                jdk, JarProcess.CANDIDATE, List.of(option), "--cle.mode=kubernetes", "--cle.fallback.enabled=false");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(candidate.output())
                        .as("the candidate, with a coordinator that says: %s", coordinator.output())
                        .contains(" granted"));
        return List.of(coordinator, candidate);
    }

    @Nested
    class ProcessedAheadOfTime {

        @Test
        void theCoordinatorElectsTheCandidateAndAnswersProbesOnThePortOfTheRun() throws Exception {
            int probes = LoopbackPorts.free();

            assertThat(elected(THIS_JDK, probes, "-Dspring.aot.enabled=true"))
                    .allSatisfy(process -> assertThat(process.output()).contains("AOT-processed"));
            assertThat(statusOf("http://127.0.0.1:" + probes + "/actuator/health/readiness"))
                    .isEqualTo(200);
        }

        private static int statusOf(String url) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }

        @Test
        void aCandidateOutsideAPodLeadsWithoutAskingTheClusterOfTheKubeconfig() {
            RequestCounts before = server.requests();

            JarProcess candidate = start(THIS_JDK, JarProcess.CANDIDATE, List.of("-Dspring.aot.enabled=true"));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(candidate.output())
                            .contains("AOT-processed", "this process leads on its own", " granted"));
            assertThat(server.requests().since(before).total()).isZero();
        }
    }

    @Nested
    class OnJdk25 {

        @Test
        void ledWorkRunsOnAVirtualThreadIfThoseAreEnabledOnJdk25() throws IOException {
            assertThat(threadOfWork(true)).isEqualTo("virtual");
        }

        @Test
        void ledWorkRunsOnAPlatformThreadOtherwiseOnJdk25() throws IOException {
            assertThat(threadOfWork(false)).isEqualTo("platform");
        }

        private String threadOfWork(boolean virtual) throws IOException {
            JarProcess process = JarProcess.java(
                    jdk25(),
                    List.of(
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ThreadOfLedWork.class.getName(),
                            "--server.port=0",
                            "--cle.mode=standalone",
                            "--spring.threads.virtual.enabled=" + virtual),
                    Map.of(),
                    folder.resolve("thread.log"),
                    JarProcess.ROOT);
            processes.add(process);
            Matcher printed = await().atMost(PATIENCE)
                    .until(() -> ThreadOfLedWork.PRINTED.matcher(process.output()), Matcher::find);
            return printed.group(1);
        }

        @Test
        void theCoordinatorElectsTheCandidateOnVirtualThreads() throws IOException {
            elected(jdk25(), 0, "-Dspring.threads.virtual.enabled=true");
        }

        private static Path jdk25() throws IOException {
            Optional<Path> found = find();
            assumeTrue(found.isPresent(), "there is no JDK 25: JAVA_HOME_25 is not set, and /usr/lib/jvm has none");
            return found.orElseThrow();
        }

        private static Optional<Path> find() throws IOException {
            String home = System.getenv("JAVA_HOME_25");
            if (home != null) {
                return Optional.of(Path.of(home));
            }
            Path installed = Path.of("/usr/lib/jvm");
            if (!Files.isDirectory(installed)) {
                return Optional.empty();
            }
            try (DirectoryStream<Path> jdks = Files.newDirectoryStream(installed, "*25*")) {
                for (Path jdk : jdks) {
                    if (Files.isExecutable(jdk.resolve("bin").resolve("java"))) {
                        return Optional.of(jdk);
                    }
                }
            }
            return Optional.empty();
        }
    }
}
