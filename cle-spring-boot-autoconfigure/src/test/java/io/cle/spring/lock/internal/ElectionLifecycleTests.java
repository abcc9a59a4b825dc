package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.OwnedLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.FakeLock;
import io.cle.spring.ManualLoop;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleEventsAutoConfiguration;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class ElectionLifecycleTests {

    private final GenericApplicationContext context = new GenericApplicationContext();
    private final ManualLoop loop = new ManualLoop();

    private static ConfigurableApplicationContext run(Class<?>... sources) {
        SpringApplication application = new SpringApplication(sources);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.setLogStartupInfo(false);
        return application.run("--spring.application.name=orders", "--spring.main.banner-mode=off");
    }

    @Test
    void theElectionBeginsAfterTheRunnersAndEndsBeforeAnyBeanStops() {
        List<String> events;
        try (ConfigurableApplicationContext context = run(Application.class)) {
            events = context.getBean(Journal.class).events;
            assertThat(events).containsExactly("bean starts", "runner: candidate false");
            assertThat(lock(context).isRunning()).isTrue();
            lock(context).grant();
        }
        assertThat(events)
                .startsWith("bean starts", "runner: candidate false", "granted", "revoked STOPPED")
                .contains("drained", "revoked event")
                .endsWith("bean stops");
    }

    @Test
    void aStoppedContextIsACandidateAgainWhenItIsStarted() {
        try (ConfigurableApplicationContext context = run(Application.class)) {
            lock(context).grant();
            context.stop();
            assertThat(lock(context).isRunning()).isFalse();
            assertThat(lock(context).isLeader()).isFalse();
            context.start();
            assertThat(lock(context).isRunning()).isTrue();
            lock(context).grant();
            assertThat(context.getBean(Journal.class).events)
                    .as("listeners are added once")
                    .endsWith("bean starts", "granted");
        }
    }

    @Test
    void anApplicationThatNeverGetsReadyNeverJoins() {
        Journal.latest = null;
        assertThatThrownBy(() -> run(Application.class, FailingRunner.class)).hasMessageContaining("not today");
        assertThat(Journal.latest.events).containsExactly("bean starts", "runner: candidate false", "bean stops");
    }

    @ParameterizedTest
    @ValueSource(classes = {ChildOfRunner.class, ChildOfLifecycle.class})
    void aChildThatIsReadyDoesNotMakeAnApplicationJoinThatIsNot(Class<?> startsChild) {
        try (ConfigurableApplicationContext context = run(Application.class, startsChild)) {
            assertThat(context.getBean(Journal.class).events)
                    .filteredOn(event -> event.startsWith("runner"))
                    .containsExactly("runner: candidate false");
            assertThat(lock(context).isRunning()).isTrue();
        }
    }

    @Test
    void aContextThatNoSpringApplicationRunsJoinsWhenItsChildIsReady() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("spring.application.name=orders").applyTo(context);
            context.register(Application.class);
            context.refresh();
            assertThat(lock(context).isRunning()).isFalse();

            child(context).close();

            assertThat(lock(context).isRunning()).isTrue();
        }
    }

    @Test
    void anApplicationWithAParentJoinsWhenItIsReady() {
        try (GenericApplicationContext parent = new GenericApplicationContext()) {
            parent.refresh();
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .parent(parent)
                    .web(WebApplicationType.NONE)
                    .run("--spring.application.name=orders")) {
                assertThat(lock(context).isRunning()).isTrue();
            }
        }
    }

    private static ConfigurableApplicationContext child(ConfigurableApplicationContext parent) {
        return new SpringApplicationBuilder(Child.class)
                .parent(parent)
                .web(WebApplicationType.NONE)
                .run();
    }

    /**
     * Simulates an application's event multicaster that reports the close on another thread, before the beans are stopped.
     */
    @Test
    void aStopWaitsForTheEndOfTheTermsThatAnEarlierOneHasBegun() {
        FakeLock lock = new FakeLock("orders");
        ElectionLifecycle lifecycle = lifecycle(lock);
        CompletableFuture<Void> work = new CompletableFuture<>();
        lock.addListener(new LeadershipListener() {
            @Override
            public CompletionStage<Void> drained(Term term) {
                return work;
            }
        });
        lock.grant();
        CompletableFuture<Void> earlier = new CompletableFuture<>();
        CompletableFuture<Void> later = new CompletableFuture<>();
        lifecycle.stop(() -> earlier.complete(null));
        lifecycle.stop(() -> later.complete(null));

        assertThat(later).isNotDone();
        work.complete(null);
        assertThat(earlier).succeedsWithin(Duration.ofSeconds(10));
        assertThat(later).succeedsWithin(Duration.ofSeconds(10));
    }

    /** Spring stops, and therefore waits for, only beans whose {@code isRunning()} returns true. */
    @Test
    void itIsRunningUntilTheTermsHaveEndedThatACloseOnAnotherThreadEnds() throws InterruptedException {
        FakeLock lock = new FakeLock("orders");
        ElectionLifecycle lifecycle = lifecycle(lock);
        CompletableFuture<Void> work = new CompletableFuture<>();
        CompletableFuture<Void> revoked = new CompletableFuture<>();
        lock.addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                revoked.complete(null);
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                return work;
            }
        });
        lock.grant();
        Thread close = new Thread(() -> lifecycle.onClose(new ContextClosedEvent(context)));
        close.start();
        assertThat(revoked).succeedsWithin(Duration.ofSeconds(10));

        assertThat(lifecycle.isRunning()).isTrue();
        work.complete(null);
        close.join();
        assertThat(lifecycle.isRunning()).isFalse();
    }

    @Test
    void aStoppedContextCanBeStartedWhileItsTermsAreStillEnding() {
        FakeLock lock = new FakeLock("orders");
        ElectionLifecycle lifecycle = lifecycle(lock);
        lock.addListener(new LeadershipListener() {
            @Override
            public CompletionStage<Void> drained(Term term) {
                return new CompletableFuture<>();
            }
        });
        lock.grant();
        lifecycle.stop(() -> {});

        assertThat(lifecycle.isRunning())
                .as("Spring starts only what isn't running")
                .isFalse();
    }

    @Test
    void whatAStopHasGivenUpIsNotWaitedForAgain() {
        FakeLock lock = new FakeLock("orders");
        ElectionLifecycle lifecycle = lifecycle(lock, Duration.ofMillis(1));
        lock.addListener(new LeadershipListener() {
            @Override
            public CompletionStage<Void> drained(Term term) {
                return new CompletableFuture<>();
            }
        });
        lock.grant();
        lifecycle.stop();
        CompletableFuture<Void> later = new CompletableFuture<>();
        lifecycle.stop(() -> later.complete(null));

        assertThat(later).isCompleted();
    }

    @Test
    void anApplicationThatIsNotReadyAfterHalfAMinuteIsReported(CapturedOutput output) {
        notReady(new FakeLock("orders"), Duration.ofSeconds(10)).start();
        assertThat(loop.delays()).containsExactly(Duration.ofSeconds(30));
        loop.pass();

        assertThat(output)
                .contains(
                        "The application isn't ready, and until then this process is no candidate",
                        "CommandLineRunner");
    }

    @Test
    void anApplicationThatIsReadyOrClosesIsNotReported() {
        lifecycle(new FakeLock("orders"));
        assertThat(loop.hasTimer()).isFalse();

        ElectionLifecycle closing = notReady(new FakeLock("orders"), Duration.ofSeconds(10));
        closing.start();
        closing.onClose(new ContextClosedEvent(context));
        assertThat(loop.hasTimer()).isFalse();
    }

    private ElectionLifecycle lifecycle(FakeLock lock) {
        return lifecycle(lock, Duration.ofSeconds(10));
    }

    private ElectionLifecycle lifecycle(FakeLock lock, Duration patience) {
        ElectionLifecycle lifecycle = notReady(lock, patience);
        lifecycle.start();
        lifecycle.onReady(
                new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ofSeconds(1)));
        return lifecycle;
    }

    private ElectionLifecycle notReady(FakeLock lock, Duration patience) {
        return new ElectionLifecycle(context, () -> FakeLock.leases(lock), List::of, () -> patience, loop);
    }

    private static FakeLock lock(ConfigurableApplicationContext context) {
        return (FakeLock) context.getBean(CoordinatedLeaseLock.class);
    }

    static final class Journal {
        private static Journal latest;
        private final List<String> events = new CopyOnWriteArrayList<>();

        Journal() {
            latest = this;
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            events.add("revoked event");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FailingRunner {

        @Bean
        @Order(1)
        ApplicationRunner failing() {
            return arguments -> {
                throw new IllegalStateException("not today");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Child {}

    /** Creates a child context, as Spring Cloud Stream's binders do. */
    @Configuration(proxyBeanMethods = false)
    static class ChildOfRunner {

        @Bean
        @Order(-1)
        ApplicationRunner startsChild(ConfigurableApplicationContext context) {
            return arguments -> child(context);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ChildOfLifecycle {

        @Bean
        SmartLifecycle startsChild(ConfigurableApplicationContext context) {
            return new SmartLifecycle() {
                private boolean running;

                @Override
                public void start() {
                    running = true;
                    child(context);
                }

                @Override
                public void stop() {
                    running = false;
                }

                @Override
                public boolean isRunning() {
                    return running;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({CleAutoConfiguration.class, CleEventsAutoConfiguration.class})
    static class Application {

        @Bean
        Journal journal() {
            return new Journal();
        }

        @Bean
        LeaseLockFactory factory() {
            return FakeLock.factory();
        }

        @Bean
        @Order(0)
        ApplicationRunner runner(Journal journal, CoordinatedLeaseLock lock) {
            return arguments -> journal.events.add("runner: candidate " + ((OwnedLock) lock).isRunning());
        }

        @Bean
        @Order(0)
        LeaseLockCustomizer listening(Journal journal) {
            return (name, lock) -> lock.addListener(new LeadershipListener() {
                @Override
                public void onGranted(Term term) {
                    journal.events.add("granted");
                }

                @Override
                public void onRevoked(Term term, RevokeReason reason) {
                    journal.events.add("revoked " + reason);
                }

                @Override
                public CompletionStage<Void> drained(Term term) {
                    return CompletableFuture.runAsync(() -> journal.events.add("drained"));
                }
            });
        }

        @Bean
        SmartLifecycle ordinary(Journal journal) {
            return new SmartLifecycle() {
                private boolean running;

                @Override
                public void start() {
                    running = true;
                    journal.events.add("bean starts");
                }

                @Override
                public void stop() {
                    running = false;
                    journal.events.add("bean stops");
                }

                @Override
                public boolean isRunning() {
                    return running;
                }
            };
        }
    }
}
