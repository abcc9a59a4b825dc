package io.cle.samples.plainlease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two replicas on an API server without a coordinator. */
@ExtendWith(OutputCaptureExtension.class)
class PlainLeaseTests {

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();

    @AfterEach
    void stop() {
        replicas.forEach(ConfigurableApplicationContext::close);
        server.close();
    }

    @Test
    void everyReplicaPrintsWhoLeadsAndTheNextOneLeadsOnceTheLeaderIsStopped(CapturedOutput output) {
        ConfigurableApplicationContext first = run("first");
        awaitLine(output, "I am the leader now: first");
        run("second");
        awaitLine(output, "new leader elected: first");

        first.close();

        awaitLine(output, "I am the leader now: second");
    }

    private ConfigurableApplicationContext run(String identity) {
        ConfigurableApplicationContext replica = new SpringApplicationBuilder(PlainLease.class)
                .run("--cle.kubernetes.base-url=" + server.url(), "--cle.identity=" + identity);
        replicas.add(replica);
        return replica;
    }

    private static void awaitLine(CapturedOutput output, String line) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(output.getOut().lines()).contains(line));
    }
}
