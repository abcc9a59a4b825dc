package io.cle.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.cle.CoordinatedLeaseLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.autoconfigure.CleActuatorAutoConfiguration;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleEventsAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.kubernetes.internal.KubernetesLeaseLockFactory;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.Shards;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.StartedBean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/** The auto-configuration processed ahead of time, as {@code process-aot} does, compiled and started. */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "compiles applications: run it with CI=true ./mvnw verify, as .ci/run does")
class AheadOfTimeTests {

    private static final Map<String, Object> PROPERTIES = Map.of(
            "spring.application.name", "orders",
            "cle.leases.reports.namespace", "office",
            "cle.leases.items.shards", "2");

    private static void processed(Consumer<GenericApplicationContext> started) {
        processed(PROPERTIES, started);
    }

    /** Processes an application with the build's properties, and starts it with the run's. */
    private static void processed(
            Map<String, Object> run, Consumer<GenericApplicationContext> started, Class<?>... beans) {
        List<Class<?>> all = new ArrayList<>(List.of(Application.class, Fakes.class));
        all.addAll(List.of(beans));
        processedWith(all, run, started);
    }

    private static void processedWith(
            List<Class<?>> beans, Map<String, Object> run, Consumer<GenericApplicationContext> started) {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            addProperties(context.getEnvironment(), PROPERTIES);
            context.register(beans.toArray(Class<?>[]::new));
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
            generated.writeGeneratedContent();
            TestCompiler.forSystem().with(generated).compile(compiled -> {
                try (GenericApplicationContext fresh = new GenericApplicationContext()) {
                    addProperties(fresh.getEnvironment(), run);
                    initializer(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()))
                            .initialize(fresh);
                    fresh.refresh();
                    started.accept(fresh);
                }
            });
        }
    }

    /** Runs a test in a processed application that is ready: its beans follow the terms of {@link #lock}. */
    private static void ready(Consumer<GenericApplicationContext> test, Class<?>... beans) {
        processed(
                PROPERTIES,
                context -> {
                    context.publishEvent(
                            new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
                    test.accept(context);
                },
                beans);
    }

    private static FakeLock lock(GenericApplicationContext context) {
        return (FakeLock) context.getBean(LeaseLocks.class).get("orders");
    }

    private static String next(BlockingQueue<String> log) {
        try {
            return Objects.requireNonNull(log.poll(10, TimeUnit.SECONDS), "nothing is logged");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(
            ApplicationContextInitializer<?> generated) {
        return (ApplicationContextInitializer<GenericApplicationContext>) generated;
    }

    private static void addProperties(ConfigurableEnvironment environment, Map<String, Object> properties) {
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    }

    private static Map<String, Object> changed(String property, String value) {
        Map<String, Object> all = new HashMap<>(PROPERTIES);
        all.put(property, value);
        return all;
    }

    @Test
    @CompileWithForkedClassLoader
    void aPodJoinsTheElectionThoughTheApplicationWasProcessedOutsideOfOne() {
        assertThat(factoryOfAProcessedApplication(Map.of(
                        "spring.main.cloud-platform", "kubernetes",
                        "POD_NAMESPACE", "shop",
                        "cle.kubernetes.base-url", "http://127.0.0.1:1")))
                .isInstanceOf(KubernetesLeaseLockFactory.class);
    }

    @Test
    @CompileWithForkedClassLoader
    void theModeIsThatOfTheRun() {
        assertThat(factoryOfAProcessedApplication(Map.of("cle.mode", "standalone")))
                .isInstanceOf(StandaloneLeaseLockFactory.class);
    }

    private static LeaseLockFactory factoryOfAProcessedApplication(Map<String, Object> run) {
        Map<String, Object> all = new HashMap<>(PROPERTIES);
        all.putAll(run);
        AtomicReference<LeaseLockFactory> factory = new AtomicReference<>();
        processedWith(List.of(Application.class), all, started -> factory.set(started.getBean(LeaseLockFactory.class)));
        return Objects.requireNonNull(factory.get());
    }

    @Test
    @CompileWithForkedClassLoader
    void theNumberOfShardsIsThatOfTheRun() {
        processed(
                changed("cle.leases.items.shards", "3"),
                started -> assertThat(started.getBean(Shards.class).count()).isEqualTo(3));
    }

    @Test
    @CompileWithForkedClassLoader
    void aChangedPropertyThatChoosesNoBeansIsUsed() {
        processed(
                changed("cle.lease-name", "others"),
                started -> assertThat(
                                started.getBean(CoordinatedLeaseLock.class).name())
                        .isEqualTo("others"));
    }

    @Test
    @CompileWithForkedClassLoader
    void theProcessedApplicationHasItsLocksAndTheirLifecycle() {
        processed(context -> {
            assertThat(context.getBean(CoordinatedLeaseLock.class).name()).isEqualTo("orders");
            assertThat(context.getBean("reportsCoordinatedLeaseLock", CoordinatedLeaseLock.class)
                            .name())
                    .isEqualTo("reports");
            assertThat(context.getBean(LeaseLocks.class).names())
                    .startsWith("orders")
                    .containsExactlyInAnyOrder("orders", "reports", "items-2-0", "items-2-1");
            assertThat(context.getBean(ElectionLifecycle.class).isRunning()).isTrue();
        });
    }

    @Test
    @CompileWithForkedClassLoader
    void aGuardedMethodOfAProcessedBeanRunsOnlyIfThisProcessLeads() {
        ready(AheadOfTimeTests::runsOnlyIfThisProcessLeads, GuardedMethod.class);
    }

    /** The annotation is found at the factory method, which generated code calls directly. */
    @Test
    @CompileWithForkedClassLoader
    void aProcessedBeanIsGuardedByTheAnnotationOfItsFactoryMethod() {
        ready(AheadOfTimeTests::runsOnlyIfThisProcessLeads, GuardedByFactoryMethod.class);
    }

    /** A native image needs this, because it can't create classes at run time. */
    @Test
    void theProxyOfAGuardIsGeneratedAheadOfTime() throws IOException {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            addProperties(context.getEnvironment(), PROPERTIES);
            context.register(Application.class, Fakes.class, GuardedMethod.class);

            new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        }

        String proxy = GuardedMethod.class.getName() + "$$SpringCGLIB$$0";
        assertThat(generated
                        .getGeneratedFiles()
                        .getGeneratedFileContent(Kind.CLASS, proxy.replace('.', '/') + ".class"))
                .as("the class")
                .isNotNull();
        assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(proxy)))
                .as("its hint")
                .accepts(generated.getRuntimeHints());
    }

    private static void runsOnlyIfThisProcessLeads(GenericApplicationContext context) {
        BlockingQueue<String> log = context.getBean(Logging.class).log();
        context.publishEvent("before the term");
        lock(context).grant();
        context.publishEvent("in the term");
        lock(context).revoke(RevokeReason.RESIGNED).join();
        context.publishEvent("after the term");

        assertThat(log).containsExactly("in the term");
    }

    @Test
    @CompileWithForkedClassLoader
    void aScheduledRunOfAProcessedBeanIsInterruptedWhenItsTermEnds() {
        ready(AheadOfTimeTests::isInterruptedWhenItsTermEnds, Scheduling.class, GuardedSchedule.class);
    }

    @Test
    @CompileWithForkedClassLoader
    void ledWorkOfAProcessedBeanIsInterruptedWhenItsTermEnds() {
        ready(AheadOfTimeTests::isInterruptedWhenItsTermEnds, LedWork.class);
    }

    private static void isInterruptedWhenItsTermEnds(GenericApplicationContext context) {
        BlockingQueue<String> log = context.getBean(Logging.class).log();
        Term term = lock(context).grant();
        assertThat(next(log)).isEqualTo("runs in the term of token " + term.fencingToken());

        CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);

        assertThat(next(log)).isEqualTo("interrupted");
        assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    @CompileWithForkedClassLoader
    void aProcessedLifecycleIsStartedAndStoppedWithTheTerms() {
        ready(
                context -> {
                    StartedBean led = context.getBean(StartedBean.class);
                    assertThat(led.isRunning()).as("before the term").isFalse();

                    lock(context).grant();
                    Awaitility.await().until(led::isRunning);
                    lock(context).revoke(RevokeReason.END_OF_TERM).join();

                    assertThat(led.isRunning()).as("after the term").isFalse();
                },
                LedLifecycle.class);
    }

    interface Logging {
        BlockingQueue<String> log();
    }

    static class GuardedMethod implements Logging {
        private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        @EventListener
        public void on(String message) {
            log.add(message);
        }

        @Override
        public BlockingQueue<String> log() {
            return log;
        }
    }

    static class Listening implements Logging {
        private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @EventListener
        public void on(String message) {
            log.add(message);
        }

        @Override
        public BlockingQueue<String> log() {
            return log;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class GuardedByFactoryMethod {

        @Bean
        @OnLeader
        Listening listening() {
            return new Listening();
        }
    }

    private static void untilInterrupted(BlockingQueue<String> log, Term term) {
        log.add("runs in the term of token " + term.fencingToken());
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            log.add("interrupted");
        }
    }

    static class LedWork implements Logging {
        private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        void work(Term term) {
            untilInterrupted(log, term);
        }

        @Override
        public BlockingQueue<String> log() {
            return log;
        }
    }

    static class GuardedSchedule implements Logging {
        private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        @Scheduled(fixedDelay = 1)
        public void tick() {
            untilInterrupted(log, Term.current().orElseThrow());
        }

        @Override
        public BlockingQueue<String> log() {
            return log;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @Configuration(proxyBeanMethods = false)
    static class LedLifecycle {

        @Bean
        @OnLeader
        StartedBean led() {
            return new StartedBean();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        CleAutoConfiguration.class,
        CleActuatorAutoConfiguration.class,
        CleEventsAutoConfiguration.class,
        CleKubernetesAutoConfiguration.class,
        CleOnLeaderAutoConfiguration.class
    })
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class Fakes {

        @Bean
        LeaseLockFactory factory() {
            return FakeLock.factory();
        }
    }
}
