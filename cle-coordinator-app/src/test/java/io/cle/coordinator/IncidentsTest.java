package io.cle.coordinator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The recipes of docs/runbook.md, and the page's, with this machine's {@code kubectl}. */
@Timeout(300)
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts kubectl again and again; CI=true ./mvnw verify runs it")
class IncidentsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    @TempDir
    private Path folder;

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
    private RunningCoordinator coordinator;
    private Path kubeconfig;

    @BeforeAll
    static void findKubectl() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(entry -> Files.isExecutable(Path.of(entry, "kubectl"))),
                "skipped, kubectl is not on the PATH");
    }

    @BeforeEach
    void start() {
        kubeconfig = server.writeKubeconfig(folder.resolve("kubeconfig"));
        coordinator = RunningCoordinator.at(server.url());
    }

    @AfterEach
    void stop() {
        candidates.close();
        coordinator.close();
        server.close();
    }

    /** Returns the {@code kubectl} lines of a section. */
    private static List<String> recipe(String heading) {
        String page = Manifests.read(Path.of("..", "docs", "runbook.md"));
        String section = Arrays.stream(page.split("(?m)^##+ "))
                .filter(text -> text.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/runbook.md has no section " + heading));
        List<String> lines =
                section.lines().filter(line -> line.startsWith("kubectl ")).toList();
        assertThat(lines).isNotEmpty();
        return lines;
    }

    private String run(String line) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(line).isTrue();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s: %s", line, text).isZero();
        return text;
    }

    private LeaseLock joins(String name, String version) {
        LeaseLock candidate = candidates.candidate(ORDERS, name, version);
        candidate.start();
        return candidate;
    }

    private LeaseLock leads(String name, String version) {
        LeaseLock leader = joins(name, version);
        await().atMost(PATIENCE).until(leader::isLeader);
        return leader;
    }

    private String endpoint() {
        return coordinator.actuator("elections/" + ORDERS).body();
    }

    private void awaitOnEndpoint(String... texts) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(endpoint()).contains(texts));
    }

    @Test
    void theLeaderIsKeptWhereItIs() throws Exception {
        List<String> recipe = recipe("Keep the leader where it is");
        LeaseLock leader = leads("orders-b", "1.1.0");

        run(recipe.get(0));
        LeaseLock better = joins("orders-a", "1.0.0");
        awaitOnEndpoint("\"name\":\"orders-a\"", "left alone: strategy NoCoordination (set on the lease)");

        assertThat(leader.isLeader()).isTrue();
        assertThat(endpoint()).contains("\"state\":\"left-alone\"", "NoCoordination");

        run(recipe.get(1));
        await().atMost(PATIENCE).until(better::isLeader);
    }

    @Test
    void theLeaseIsHandedOverToThatOneAndStaysThere() throws Exception {
        LeaseLock leader = leads("orders-a", "1.0.0");
        joins("orders-b", "1.0.0");
        LeaseLock chosen = joins("orders-c", "1.1.0");
        awaitOnEndpoint("orders-b", "orders-c");

        run(recipe("Keep the leader where it is").get(0));
        awaitOnEndpoint("left alone");
        // As POST /actuator/leaderelection/orders does.
        leader.resign("orders-c");
        await().atMost(PATIENCE).until(chosen::isLeader);
        awaitOnEndpoint("\"holder\":\"orders-c\"", "left alone");

        run(recipe("Keep the leader where it is").get(1));
        await().atMost(PATIENCE).until(() -> !chosen.isLeader());
    }

    @Test
    void whyOneIsNotElectedIsSaidOfThoseThatRankLowerAndOfThoseThatHaveWithdrawn() throws Exception {
        leads("orders-a", "1.0.0");
        joins("orders-b", "1.1.0");
        LeaseLock third = joins("orders-c", "1.2.0");
        awaitOnEndpoint("orders-b", "orders-c");
        assertThat(run(recipe("Why isn't this one elected").get(0))).contains("orders-a", "orders-b", "orders-c");

        third.stop().toCompletableFuture().get(1, TimeUnit.MINUTES);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(endpoint()).doesNotContain("orders-c"));
        assertThat(endpoint()).contains("compatibility version 1.1.0 is newer than 1.0.0");
        assertThat(run(recipe("Why isn't this one elected").get(0))).doesNotContain("orders-c");
    }

    @Test
    void whetherTheLeaderWasElectedOrHasRacedIsSaid() throws Exception {
        String line = recipe("Was the leader elected, or did it race").get(0);
        LeaseLock leader = leads("orders-a", "1.0.0");
        awaitOnEndpoint("\"electedBy\":\"coordinated-election-controller\"");
        assertThat(run(line)).isEqualTo("coordinated-election-controller");

        // No coordinator runs.
        coordinator.close();
        leader.stop().toCompletableFuture().get(1, TimeUnit.MINUTES);
        LeaseLock raced = candidates.racing().candidate(ORDERS, "orders-b", "1.0.0");
        raced.start();
        await().atMost(PATIENCE).until(raced::isLeader);
        assertThat(run(line)).isEqualTo("candidate-fallback");

        coordinator = RunningCoordinator.at(server.url());
        awaitOnEndpoint("\"electedBy\":\"candidate-fallback\"");
    }

    @Test
    void thatTheApiServerIsAwayIsSaidAndALeaderIsThereAgainOnceItIsBack() throws Exception {
        LeaseLock leader = leads("orders-a", "1.0.0");
        run(recipe("The API server is away").get(0));

        server.stop();
        await().atMost(PATIENCE).until(() -> !leader.isLeader());
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(coordinator.actuator("elections").body())
                                .contains("\"coordinating\":false", "\"outages\""));

        server.resume();
        await().atMost(PATIENCE).until(leader::isLeader);
        assertThat(run(recipe("The API server is away").get(0))).contains("ok");
    }
}
