package io.cle.samples.candidate;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The line {@code boot} is printed before the candidate is announced, so that measurements from it include that request. */
@ExtendWith(OutputCaptureExtension.class)
class AnnouncementTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @AfterEach
    void stopServer() {
        server.close();
    }

    private ConfigurableApplicationContext run(String... arguments) {
        return SpringApplication.run(
                CandidateApplication.class,
                Stream.concat(Stream.of("--cle.kubernetes.base-url=" + server.url()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    /**
     * Returns the events on standard output, which must have nothing else. Devtools logs before the logging system
     * starts, but is only on the tests' class path.
     */
    private static List<String> events(CapturedOutput output) {
        List<String> lines = output.getOut()
                .lines()
                .filter(line -> !line.contains("org.springframework.boot.devtools"))
                .toList();
        assertThat(lines).allMatch(line -> line.matches("\\d{19} (boot|granted|revoked)"));
        return lines.stream().map(line -> line.substring(20)).toList();
    }

    @Test
    void isPrintedBeforeTheRequestThatAnnouncesTheCandidateIsAnswered(CapturedOutput output) {
        server.deny("create", "leasecandidates.coordination.cle.io", "*");
        try (ConfigurableApplicationContext refused = run()) {
            await().atMost(PATIENCE).until(() -> events(output).contains("boot"));
            assertThat(refused.isRunning()).isTrue();
        }
    }

    @Test
    void isPrintedOnceHoweverOftenTheRequestIsRepeated(CapturedOutput output) {
        server.deny("create", "leasecandidates.coordination.cle.io", "*");
        try (ConfigurableApplicationContext context = run("--cle.fallback.delay=1s")) {
            await().atMost(PATIENCE).until(() -> events(output).contains("boot"));
            server.allowAll();
            await().atMost(PATIENCE).until(() -> events(output).contains("granted"));

            assertThat(events(output)).containsExactly("boot", "granted");
            assertThat(context.isRunning()).isTrue();
        }
        assertThat(events(output)).containsExactly("boot", "granted", "revoked");
    }

    @Test
    void isPrintedByADirectLockWhichAnnouncesNoCandidate(CapturedOutput output) {
        try (ConfigurableApplicationContext context = run("--cle.resource-lock=leases")) {
            await().atMost(PATIENCE).until(() -> events(output).contains("granted"));

            assertThat(events(output)).containsExactly("boot", "granted");
            assertThat(context.isRunning()).isTrue();
        }
    }
}
