package io.cle.samples.orders.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.cle.Timings;
import io.cle.samples.narration.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledIf(value = "built", disabledReason = "the coordinator's jar is not built: run ./mvnw verify")
class DemoTest {

    private static final Path COORDINATOR = Path.of("..", "..")
            .resolve(Settings.DEFAULT.coordinator())
            .toAbsolutePath()
            .normalize();

    /** Long enough that a leader on a busy machine doesn't lose its lease: such a move of a shard wouldn't be a defect. */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(15), Duration.ofSeconds(12), Duration.ofSeconds(1));

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

    @TempDir
    private Path logs;

    static boolean built() {
        return Files.isRegularFile(COORDINATOR);
    }

    @Test
    @EnabledIfSystemProperty(
            named = "cle.thorough",
            matches = "true",
            disabledReason = "starts seven processes: run it with -Pthorough, as every night")
    void exitsWithZeroAsNoOrderIsForgottenAndNoCustomerIsWorkedForByTwoWhileReplicasJoinAreKilledAndAreUpgraded() {
        Settings settings = new Settings(PATIENT, 2, Duration.ofMillis(200), Duration.ofMinutes(6), COORDINATOR);

        int exitCode = new Demo(settings, logs, out).run();

        String story = written.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(story).isEqualTo(Verdict.GOOD);
        assertThat(story)
                .containsSubsequence(
                        "1. 2 replicas of version 1.0.0 start",
                        "(orders-a: 8, orders-b: 8)",
                        "2. Another one joins",
                        "orders-c (1.0.0) is a candidate",
                        "3. One is killed without warning",
                        "orders-a (1.0.0) is killed",
                        "(orders-b: 8, orders-c: 8)",
                        "4. A rolling upgrade to version 1.1.0",
                        "orders-d (1.1.0) is a candidate",
                        "orders-b (1.0.0) is told to stop",
                        "orders-c (1.0.0) is told to stop",
                        "(orders-d: 8, orders-e: 8)",
                        "What each step has cost",
                        "No customer was ever worked for by two replicas at once, and no order was forgotten");
    }

    @Test
    void saysSoWhenTheStoryTakesTooLong() {
        Settings settings = new Settings(PATIENT, 2, Duration.ZERO, Duration.ofMillis(1), COORDINATOR);

        int exitCode = new Demo(settings, logs, out).run();

        assertThat(exitCode).isEqualTo(Verdict.UNFINISHED);
        assertThat(written.toString(StandardCharsets.UTF_8)).contains("did not come to its end: it has taken longer");
    }
}
