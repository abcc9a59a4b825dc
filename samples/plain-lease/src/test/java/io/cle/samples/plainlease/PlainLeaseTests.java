package io.cle.samples.plainlease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
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

    private static final Pattern REPLICA = Pattern.compile("replica=\"java -jar \\S+/plain-lease.jar( .*)\"");
    private static final Pattern START = Pattern.compile("\\$replica (.*?) &(?: (\\w+)=\\$!)? +# (.*)");
    private static final Pattern KILL = Pattern.compile("kill \\$(\\w+) +# (.*)");

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

        awaitLine(output, "I am the leader now: second, after first");
    }

    /** The commands of README.md run with a coordinator, because the local cluster has one. */
    @Test
    void everyCommandOfReadmePrintsWhatItsCommentSays(CapturedOutput output) throws IOException {
        List<String> options = List.of();
        Map<String, ConfigurableApplicationContext> started = new HashMap<>();
        int commands = 0;
        try (EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(server.url())) {
            assertThat(coordinator).isNotNull();
            for (String line : Files.readAllLines(Path.of("README.md"))) {
                Matcher replica = REPLICA.matcher(line);
                Matcher start = START.matcher(line);
                Matcher kill = KILL.matcher(line);
                if (replica.matches()) {
                    options = List.of(replica.group(1).trim().split(" +"));
                } else if (start.matches()) {
                    List<String> arguments = new ArrayList<>(options);
                    arguments.addAll(List.of(start.group(1).split(" +")));
                    arguments.replaceAll(argument -> argument.startsWith("--cle.kubernetes.base-url=")
                            ? "--cle.kubernetes.base-url=" + server.url()
                            : argument);
                    started.put(String.valueOf(start.group(2)), run(arguments));
                    awaitLine(output, start.group(3));
                    commands++;
                } else if (kill.matches()) {
                    started.remove(kill.group(1)).close();
                    awaitLine(output, kill.group(2));
                    commands++;
                }
            }
        }
        assertThat(commands).isEqualTo(9);
    }

    private ConfigurableApplicationContext run(List<String> arguments) {
        ConfigurableApplicationContext replica =
                new SpringApplicationBuilder(PlainLease.class).run(arguments.toArray(String[]::new));
        replicas.add(replica);
        return replica;
    }

    private ConfigurableApplicationContext run(String identity) {
        return run(List.of("--cle.kubernetes.base-url=" + server.url(), "--cle.identity=" + identity));
    }

    private static void awaitLine(CapturedOutput output, String line) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(output.getOut().lines()).contains(line));
    }
}
