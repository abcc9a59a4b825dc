package io.cle.coordinator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the application in its own process, with a heap of 128 MB, which is smaller than a stranger's candidates are on
 * the wire: 1,200 of 250 KB are 300 MB (protocol.md#requests-and-limits).
 */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts a process: run it with CI=true ./mvnw verify, as .ci/run does")
class SmallHeapTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int CANDIDATES = 1_200;
    private static final int SIZE = 250 * 1024;
    private static final String HEAP = "-Xmx128m";
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    @Test
    void electsForOthersBesideMoreThanItCouldKeep(@TempDir Path logs) throws IOException {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            // One text for all, so that this process needs no memory for them.
            JsonPrimitive ballast = new JsonPrimitive("x".repeat(SIZE));
            for (int i = 0; i < CANDIDATES; i++) {
                create(server, "evil-" + i, ballast);
            }
            Path log = logs.resolve("coordinator.log");
            Process coordinator = start(server, log);
            try (Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                    LeaseLock only = candidates.candidate(ORDERS, "orders-only", "1.0.0")) {
                only.start();

                await().atMost(PATIENCE).until(() -> only.isLeader() || !coordinator.isAlive());

                assertThat(coordinator.isAlive())
                        .as(() -> "the coordinator runs: " + textOf(log))
                        .isTrue();
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(textOf(log)).contains("LeaseCandidate evil/evil-", "characters"));
                assertThat(textOf(log).lines().filter(line -> line.contains(" is malformed ")))
                        .as("lines about candidates of one lease")
                        .hasSizeLessThan(100);
            } finally {
                coordinator.destroyForcibly();
            }
        }
    }

    private static void create(EmbeddedApiServer server, String name, JsonPrimitive ballast) {
        JsonObject annotations = new JsonObject();
        annotations.add("ballast", ballast);
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.add("annotations", annotations);
        JsonObject spec = new JsonObject();
        spec.addProperty("canLeadLease", "evil/lease");
        spec.addProperty("renewTime", "2026-01-01T00:00:00.000000Z");
        JsonObject candidate = new JsonObject();
        candidate.addProperty("apiVersion", "coordination.cle.io/v1alpha1");
        candidate.addProperty("kind", "LeaseCandidate");
        candidate.add("metadata", metadata);
        candidate.add("spec", spec);
        ServerResponse response = server.handle(
                ApiServerRequest.post("/apis/coordination.cle.io/v1alpha1/namespaces/evil/leasecandidates", candidate));
        assertThat(response)
                .isInstanceOfSatisfying(
                        ServerResponse.Answer.class,
                        answer -> assertThat(answer.code()).as("%s", answer).isEqualTo(201));
    }

    private static Process start(EmbeddedApiServer server, Path log) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CoordinatorApplication.class.getName(),
                        "--server.port=0",
                        "--cle.kubernetes.base-url=" + server.url())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static String textOf(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
