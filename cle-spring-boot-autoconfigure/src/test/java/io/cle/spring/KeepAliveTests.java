package io.cle.spring;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** An application without a web server keeps running only if it has work that leadership starts. */
class KeepAliveTests {

    private static final String THREAD = "cle-keep-alive";

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Batch {

        public static void main(String[] arguments) {
            SpringApplication.run(Batch.class, arguments);
            System.out.println("the batch is done");
        }
    }

    static class Leader {
        @OnLeader
        void work() {}
    }

    static class Listener {
        @EventListener
        void on(OnLeaderChanged event) {}
    }

    private static ConfigurableApplicationContext start(Class<?> bean, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--cle.mode=standalone", "--spring.application.name=batch"));
        all.addAll(List.of(arguments));
        return new SpringApplicationBuilder(Batch.class, bean)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .run(all.toArray(String[]::new));
    }

    private static boolean isKeptAlive() {
        return threads().anyMatch(thread -> !thread.isDaemon());
    }

    /** Waits for the end of the thread, which is asynchronous. */
    private static void awaitEnd() throws InterruptedException {
        for (Thread thread : threads().toList()) {
            thread.join(10_000);
            assertThat(thread.isAlive()).isFalse();
        }
    }

    private static Stream<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD));
    }

    private static boolean keepsAlive(Class<?> bean, String... arguments) throws Exception {
        try (ConfigurableApplicationContext context = start(bean, arguments)) {
            return context.isActive() && isKeptAlive();
        } finally {
            awaitEnd();
        }
    }

    @Test
    void workThatLeadershipStartsKeepsTheProcessAliveUntilTheContextIsClosed() throws Exception {
        assertThat(keepsAlive(Leader.class)).isTrue();
        awaitEnd();
    }

    @Test
    void aListenerDoesNotKeepTheProcessAlive() throws Exception {
        assertThat(keepsAlive(Listener.class)).isFalse();
    }

    @Test
    void aPropertyDecidesOtherwise() throws Exception {
        assertThat(keepsAlive(Leader.class, "--cle.keep-alive=false")).isFalse();
        assertThat(keepsAlive(Listener.class, "--cle.keep-alive=true")).isTrue();
    }

    @Test
    void nothingIsKeptAliveIfElectionIsSwitchedOff() throws Exception {
        assertThat(keepsAlive(Leader.class, "--cle.enabled=false")).isFalse();
    }

    @Test
    @EnabledIfEnvironmentVariable(
            named = "CI",
            matches = "true",
            disabledReason = "starts a process; CI=true ./mvnw verify runs it")
    void anApplicationWithTheStarterAloneEndsByItself(@TempDir Path directory) throws Exception {
        File log = directory.resolve("log").toFile();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Batch.class.getName(),
                        "--spring.main.web-application-type=none")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("has ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(log.toPath())).contains("the batch is done").doesNotContain("leads on its own");
        assertThat(process.exitValue()).isZero();
    }
}
