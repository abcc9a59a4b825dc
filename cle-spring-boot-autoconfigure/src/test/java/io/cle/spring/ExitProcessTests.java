package io.cle.spring;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/** Exits of processes with {@code cle.on-lost: exit}, each in a separate JVM. */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts a process for each kind of work: run it with CI=true ./mvnw verify, as .ci/run does")
class ExitProcessTests {

    enum Work {
        ENDS,
        IGNORES_ITS_INTERRUPT,
        BLOCKS_A_LISTENER,
        EXITS_WITH_ZERO_WHEN_CLOSED
    }

    @TempDir
    private Path folder;

    /** The drain timeout is 30 s, so a process that ends earlier hasn't waited for its work. */
    @ParameterizedTest
    @EnumSource(Work.class)
    void aProcessThatHasLostItsLeaseEndsWithACodeOtherThanZeroBeforeOthersMayLead(Work work) throws Exception {
        File log = folder.resolve("log").toFile();
        Process process;
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Program.class.getName(),
                            "--work=" + work,
                            "--spring.main.web-application-type=none",
                            "--cle.kubernetes.base-url=" + server.url(),
                            "--cle.resource-lock=leases",
                            "--cle.lease-name=orders",
                            "--cle.lease-duration=2s",
                            "--cle.renew-deadline=1500ms",
                            "--cle.retry-period=300ms",
                            "--cle.on-lost=exit"))
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> Files.readString(log.toPath()).contains("leads now"));
        }
        try {
            assertThat(process.waitFor(15, TimeUnit.SECONDS))
                    .as(() -> read(log))
                    .isTrue();
            assertThat(process.exitValue()).as(() -> read(log)).isEqualTo(1);
            assertThat(read(log)).contains("leadership is lost (RENEW_DEADLINE)");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(File log) {
        try {
            return Files.readString(log.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Program {

        private final Work work;

        Program(Environment environment) {
            work = environment.getRequiredProperty("work", Work.class);
        }

        public static void main(String[] arguments) {
            ConfigurableApplicationContext context = SpringApplication.run(Program.class, arguments);
            if (context.getBean(Program.class).work == Work.EXITS_WITH_ZERO_WHEN_CLOSED) {
                while (context.isActive()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                System.exit(0);
            }
        }

        @OnLeader
        void work() {
            System.out.println("leads now");
            if (work == Work.IGNORES_ITS_INTERRUPT) {
                ignoreInterrupts();
            }
        }

        @EventListener
        void on(OnGrantedLeadership granted) {
            if (work == Work.BLOCKS_A_LISTENER) {
                System.out.println("leads now");
                ignoreInterrupts();
            }
        }

        private static void ignoreInterrupts() {
            for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1); System.nanoTime() < end; ) {
                // A bad example clears the interrupt: otherwise parking would return at once.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                Thread.interrupted();
            }
        }
    }
}
