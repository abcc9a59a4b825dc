package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.spring.FakeLock;
import io.cle.spring.ManualLoop;
import io.cle.spring.actuate.CleEndpointAutoConfiguration;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.onleader.CleOnLeaderAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** An application whose start takes longer than {@link StartupWatch#PATIENCE}, which the beans of these tests let pass. */
@ExtendWith(OutputCaptureExtension.class)
class StartupWatchTests {

    private static final String NOT_READY = "the application isn't ready, and until then this process is no candidate";

    private static ConfigurableApplicationContext run(Class<?> slow) {
        SpringApplication application = new SpringApplication(Application.class, slow);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        return application.run(
                "--cle.lease-name=orders",
                "--spring.main.banner-mode=off",
                "--management.endpoints.web.exposure.include=leaderelection");
    }

    @Test
    void aCommandLineRunnerThatDoesNotReturnIsNamed(CapturedOutput output) {
        try (ConfigurableApplicationContext context = run(MainLoop.class)) {
            assertThat(output).contains(NOT_READY, "the runner " + MainLoop.class.getName() + ".run has not returned");
            assertThat(context.getBean(Loop.class).shown)
                    .containsExactly("the runner " + MainLoop.class.getName() + ".run has not returned");
        }
    }

    @Test
    void anApplicationRunnerThatIsALambdaIsNamedByTheClassThatHasIt(CapturedOutput output) {
        run(Lambda.class).close();

        assertThat(output).contains(NOT_READY, "the runner " + Lambda.class.getName() + ".lambda$mainLoop$");
    }

    @Test
    void aListenerOfTheStartThatDoesNotReturnIsNamed(CapturedOutput output) {
        run(Listener.class).close();

        assertThat(output)
                .contains(NOT_READY, "a listener of the start, " + Listener.class.getName() + ".on has not returned");
    }

    @Test
    void theSameIsReportedOnce(CapturedOutput output) {
        run(Twice.class).close();

        assertThat(output.getAll().split(NOT_READY, -1)).hasSize(2);
    }

    @Test
    void anApplicationThatIsReadyIsNotReported(CapturedOutput output) {
        try (ConfigurableApplicationContext context = run(Quick.class)) {
            Loop loop = context.getBean(Loop.class);
            loop.pass();

            assertThat(output).doesNotContain("isn't ready");
            assertThat(context.getBean(StartupWatch.class).delay()).isEmpty();
        }
    }

    /** A loop whose time passes when a test says so. */
    static final class Loop extends ManualLoop {
        final List<String> shown = new ArrayList<>();

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            assertThat(delay).isLessThan(Duration.ofMinutes(1));
            return super.schedule(delay, task);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        CleAutoConfiguration.class,
        CleOnLeaderAutoConfiguration.class,
        CleEndpointAutoConfiguration.class
    })
    static class Application {

        @Bean
        LeaseLockFactory factory() {
            return FakeLock.factory();
        }

        @Bean
        Loop loop() {
            return new Loop();
        }

        @Bean
        StartupWatch startup(Loop loop) {
            return new StartupWatch(loop);
        }
    }

    static class MainLoop implements CommandLineRunner {
        private final Loop loop;
        private final ApplicationContext context;

        MainLoop(Loop loop, ApplicationContext context) {
            this.loop = loop;
            this.context = context;
        }

        @Override
        public void run(String... arguments) {
            loop.pass();
            loop.shown.add(context.getBean(LeaderElectionEndpoint.class)
                    .lease("orders")
                    .waitsFor());
        }
    }

    static class Lambda {

        @Bean
        ApplicationRunner mainLoop(Loop loop) {
            return arguments -> loop.pass();
        }
    }

    static class Listener {
        private final Loop loop;

        Listener(Loop loop) {
            this.loop = loop;
        }

        @EventListener(ApplicationReadyEvent.class)
        void on() {
            loop.pass();
        }
    }

    static class Twice {

        @Bean
        CommandLineRunner mainLoop(Loop loop) {
            return arguments -> {
                loop.pass();
                loop.pass();
            };
        }
    }

    static class Quick {}
}
