package io.cle.spring;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.lock.LeaseLocks;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with one lease per tenant. The individual log lines are at {@code DEBUG}, and the endpoint has each lease's history. */
@ExtendWith(OutputCaptureExtension.class)
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts 200 leases and stops the API server; CI=true ./mvnw verify runs it")
class ManyLeasesTests {

    private static final int LEASES = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Far fewer than five lines per lease: each event is logged for three leases, and then aggregated every five seconds.
     */
    private static final int HANDFUL = 40;

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final Applications applications = new Applications(KubernetesAccess.at(server.url()));

    @AfterEach
    void stop() {
        applications.close();
        server.close();
    }

    @Test
    void logAStartAndAnOutageInAHandfulOfLines(CapturedOutput output) {
        Collection<CoordinatedLeaseLock> locks = start();
        Awaitility.await().atMost(PATIENCE).until(() -> locks.stream().allMatch(CoordinatedLeaseLock::isLeader));
        assertThat(lines(output)).hasSizeLessThan(HANDFUL);

        int before = lines(output).size();
        server.stop();
        Awaitility.await().atMost(PATIENCE).until(() -> locks.stream().noneMatch(CoordinatedLeaseLock::isLeader));
        server.resume();
        Awaitility.await().atMost(PATIENCE).until(() -> locks.stream().allMatch(CoordinatedLeaseLock::isLeader));

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(output).containsPattern("WARN .*\\d+ more leases have lost their leadership"));
        assertThat(lines(output).subList(before, lines(output).size()))
                .hasSizeLessThan(HANDFUL)
                .anySatisfy(line -> assertThat(line).contains("WARN", "the API server can't be used: "));
    }

    private Collection<CoordinatedLeaseLock> start() {
        String[] arguments = Stream.concat(
                        Stream.of(
                                "--spring.application.name=orders",
                                "--cle.resource-lock=leases",
                                "--cle.lease-duration=4s",
                                "--cle.renew-deadline=3s",
                                "--cle.retry-period=500ms"),
                        IntStream.range(1, LEASES)
                                .mapToObj(i -> "--cle.leases.tenant-%03d.namespace=default".formatted(i)))
                .toArray(String[]::new);
        return applications
                .start("a", new Object(), List.of(), arguments)
                .getBean(LeaseLocks.class)
                .asMap()
                .values();
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains(" INFO ") || line.contains(" WARN ") || line.contains(" ERROR "))
                .toList();
    }
}
