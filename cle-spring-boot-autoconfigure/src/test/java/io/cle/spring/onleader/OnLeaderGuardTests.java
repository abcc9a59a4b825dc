package io.cle.spring.onleader;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.RevokeReason;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class OnLeaderGuardTests {

    @Nested
    class WhoLeads {

        @Test
        void whoLeadsDecidesWhetherAGuardedMethodRuns() {
            ready(Guarded.class, context -> {
                Guarded guarded = context.getBean(Guarded.class);
                assertThat(guarded.tick()).isZero();
                assertThat(guarded.on("hello")).isEmpty();
                lock(context).grant();
                assertThat(guarded.tick()).isEqualTo(1);
                context.publishEvent("hello");
                assertThat(guarded.tick()).isEqualTo(3);
                lock(context).revoke(RevokeReason.RESIGNED).join();
                assertThat(guarded.tick()).isZero();
            });
        }

        @Test
        void whoLeadsIsTheSameForAllTriggeredMethodsOfAnAnnotatedClass() {
            ready(GuardedClass.class, context -> {
                GuardedClass guarded = context.getBean(GuardedClass.class);
                assertThat(guarded.on("")).isZero();
                assertThat(guarded.ordinary()).isEqualTo(7);
                lock(context, "reports").grant();
                assertThat(guarded.on("")).isEqualTo(1);
            });
        }

        @Test
        void whoLeadsIsNoProcessIfElectionIsSwitchedOff(CapturedOutput output) {
            LedApplication.runner()
                    .withPropertyValues("cle.enabled=false")
                    .withBean("worker", Guarded.class)
                    .run(context ->
                            assertThat(context.getBean(Guarded.class).tick()).isZero());
            assertThat(output).contains("cle.enabled=false", "nothing that is annotated with @OnLeader runs: [worker]");
        }
    }

    static class Guarded {
        final AtomicInteger runs = new AtomicInteger();

        @OnLeader
        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public int tick() {
            return runs.incrementAndGet();
        }

        @OnLeader
        @EventListener
        public Optional<String> on(String message) {
            runs.incrementAndGet();
            return Optional.of(message);
        }
    }

    @OnLeader("reports")
    static class GuardedClass {
        final AtomicInteger runs = new AtomicInteger();

        @EventListener
        public int on(String message) {
            return runs.incrementAndGet();
        }

        public int ordinary() {
            return 7;
        }
    }

    @Nested
    class RunInProgressWhenTheTermEnds {

        @Test
        void runInProgressWhenTheTermEndsIsInterruptedOnTheSchedulersThreadAndWaitedFor(CapturedOutput output) {
            ready(with(Ticking.class), context -> {
                Ticking ticking = target(context, Ticking.class);
                lock(context).grant();
                assertThat(next(ticking.log)).startsWith("runs on scheduler-");

                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);

                assertThat(next(ticking.log)).isEqualTo("interrupted");
                assertThat(drained).as("while the run goes on").isNotDone();
                ticking.mayEnd.countDown();
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
                assertThat(output).as("the end of a term is no error").doesNotContain("ERROR", "worker.tick");
            });
        }

        @Test
        void runInProgressWhenTheTermEndsIsInterruptedOnTheExecutorsThread() {
            ready(with(Asynchronous.class), context -> {
                Asynchronous asynchronous = target(context, Asynchronous.class);
                lock(context).grant();
                context.publishEvent("go");
                assertThat(next(asynchronous.log)).startsWith("runs on executor-");

                lock(context).revoke(RevokeReason.END_OF_TERM);

                assertThat(next(asynchronous.log)).isEqualTo("interrupted");
                asynchronous.mayEnd.countDown();
            });
        }

        @Test
        void runInProgressWhenTheTermEndsIsInterruptedOnTheExecutorsThreadIfItIsAsynchronousOnly() {
            ready(with(AsynchronousOnly.class), context -> {
                AsynchronousOnly asynchronous = target(context, AsynchronousOnly.class);
                assertThat(context.getBean(AsynchronousOnly.class).call())
                        .as("before the term")
                        .succeedsWithin(Duration.ofSeconds(10))
                        .isNull();
                lock(context).grant();
                context.getBean(AsynchronousOnly.class).call();
                assertThat(next(asynchronous.log)).startsWith("runs on executor-");

                lock(context).revoke(RevokeReason.END_OF_TERM);

                assertThat(next(asynchronous.log)).isEqualTo("interrupted");
                asynchronous.mayEnd.countDown();
            });
        }

        @Test
        void runInProgressWhenTheTermEndsIsNotInterruptedOnThePublishersThreadButWaitedFor() {
            ready(with(Asynchronous.class), context -> {
                Asynchronous asynchronous = target(context, Asynchronous.class);
                lock(context).grant();
                CompletableFuture<Boolean> caller = CompletableFuture.supplyAsync(
                        () -> {
                            context.publishEvent(7L);
                            return Thread.interrupted();
                        },
                        OnLeaderGuardTests::onCallersThread);
                assertThat(next(asynchronous.log)).isEqualTo("runs on caller");

                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);
                lock(context).awaitListeners();

                assertThat(drained).isNotDone();
                asynchronous.mayEnd.countDown();
                assertThat(next(asynchronous.log)).isEqualTo("ended");
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
                assertThat(caller).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
            });
        }

        @Test
        void runInProgressWhenTheTermEndsIsNotInterruptedIfItsAnnotationForbidsThat() {
            ready(with(Patient.class), context -> {
                Patient patient = target(context, Patient.class);
                lock(context).grant();
                next(patient.log);

                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);
                lock(context).awaitListeners();

                assertThat(drained).isNotDone();
                patient.mayEnd.countDown();
                assertThat(next(patient.log)).isEqualTo("ended");
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
            });
        }

        @Test
        void runInProgressWhenTheTermEndsHasNotFailedIfItStopsAtACheckOfItsTerm(CapturedOutput output) {
            ready(with(Checking.class), context -> {
                Checking checking = target(context, Checking.class);
                lock(context).grant();
                next(checking.log);
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(LedApplication.status(context).failures()).isZero();
                assertThat(output).doesNotContain("ERROR");
            });
        }

        @Test
        void runInProgressWhenTheTermEndsLeavesNoInterruptToWhatItsThreadDoesNext() {
            ready(with(Stubborn.class), context -> {
                Stubborn stubborn = target(context, Stubborn.class);
                lock(context).grant();
                next(stubborn.log);
                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);
                Awaitility.await().until(() -> stubborn.thread.isInterrupted());

                stubborn.mayEnd.countDown();

                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
                RecordingScheduler scheduler = context.getBean(RecordingScheduler.class);
                int tasks = scheduler.tasks.get();
                Awaitility.await().until(() -> scheduler.tasks.get() > tasks);
                assertThat(scheduler.leftInterrupted).isFalse();
            });
        }
    }

    @Nested
    class RunThatGoesOnAfterTheTerm {

        @Test
        void runThatGoesOnAfterTheTermIsNamedWithItsThreadIfTheLeaseWasLost(CapturedOutput output) {
            ready(with(Patient.class), context -> {
                Patient patient = target(context, Patient.class);
                lock(context).grant();
                next(patient.log);

                lock(context).revoke(RevokeReason.LEASE_LOST);
                Awaitility.await().until(() -> LedApplication.status(context).overlaps(), overlaps -> overlaps == 1);
                // The overlap is counted before it is logged.
                Awaitility.await()
                        .untilAsserted(() -> assertThat(output)
                                .contains("WARN")
                                .containsPattern(
                                        "worker.tick of the term with fencing token 41 is still running on thread 'scheduler-\\d'")
                                .contains("LEASE_LOST"));
                patient.mayEnd.countDown();
            });
        }

        @Test
        void runThatGoesOnAfterTheTermIsCountedWhenTheDrainTimeoutIsOver(CapturedOutput output) {
            ready(with(Patient.class).withPropertyValues("cle.drain-timeout=50ms"), context -> {
                Patient patient = target(context, Patient.class);
                lock(context).grant();
                next(patient.log);

                lock(context).revoke(RevokeReason.END_OF_TERM);

                Awaitility.await().until(() -> LedApplication.status(context).overlaps(), overlaps -> overlaps == 1);
                Awaitility.await()
                        .untilAsserted(() -> assertThat(output).contains("50ms after its term ended (END_OF_TERM)"));
                patient.mayEnd.countDown();
            });
        }

        @Test
        void runThatGoesOnAfterTheTermIsNotCountedIfItEndsWhileItIsDrained() {
            ready(with(Ticking.class), context -> {
                Ticking ticking = target(context, Ticking.class);
                lock(context).grant();
                next(ticking.log);
                ticking.mayEnd.countDown();
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(LedApplication.status(context).overlaps()).isZero();
            });
        }
    }

    @Nested
    class Term {

        @Test
        void ofAGuardedRunIsAskedForStatically() {
            ready(with(AsksForItsTerm.class), context -> {
                lock(context).grant();
                AsksForItsTerm bean = target(context, AsksForItsTerm.class);
                assertThat(next(bean.tokens)).isEqualTo(41);
                assertThat(next(bean.tokens)).isEqualTo(41);
            });
        }
    }

    private static void onCallersThread(Runnable call) {
        new Thread(call, "caller").start();
    }

    private static ApplicationContextRunner with(Class<?> worker) {
        return LedApplication.runner()
                .withUserConfiguration(Threads.class)
                .withAllowBeanDefinitionOverriding(true)
                .withBean("worker", worker);
    }

    private static <T> T target(AssertableApplicationContext context, Class<T> type) {
        return type.cast(AopProxyUtils.getSingletonTarget(context.getBean("worker")));
    }

    @EnableScheduling
    @EnableAsync
    @Configuration(proxyBeanMethods = false)
    static class Threads {

        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("scheduler-");
            scheduler.setPoolSize(2);
            scheduler.setDaemon(true);
            return scheduler;
        }

        @Bean
        RecordingScheduler recordingScheduler() {
            return new RecordingScheduler();
        }

        @Bean
        Executor executor() {
            return Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "executor-1");
                thread.setDaemon(true);
                return thread;
            });
        }
    }

    /** Waits until it may end or is interrupted, and records the events. */
    abstract static class Working {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();
        final CountDownLatch mayEnd = new CountDownLatch(1);

        void work(String what) {
            log.add(what + " on " + Thread.currentThread().getName());
            try {
                mayEnd.await();
                log.add("ended");
            } catch (InterruptedException e) {
                log.add("interrupted");
                LedApplication.await(mayEnd);
                throw new IllegalStateException(e);
            }
        }
    }

    static class Ticking extends Working {

        @OnLeader
        @Scheduled(fixedDelay = 10)
        public void tick() {
            work("runs");
        }
    }

    static class AsynchronousOnly extends Working {

        @Async("executor")
        @OnLeader
        public CompletableFuture<String> call() {
            work("runs");
            return CompletableFuture.completedFuture("ran");
        }
    }

    static class Asynchronous extends Working {

        @Async("executor")
        @OnLeader
        @EventListener
        public void on(String message) {
            work("runs");
        }

        @OnLeader
        @EventListener
        public void onCallersThread(Long message) {
            work("runs");
        }
    }

    static class Patient extends Working {

        @OnLeader(interrupt = false)
        @Scheduled(fixedDelay = 10)
        public void tick() {
            work("runs");
        }
    }

    static class Checking extends Working {

        @OnLeader
        @Scheduled(fixedDelay = 10)
        public void tick() {
            log.add("runs");
            while (true) {
                io.cle.Term.current().orElseThrow().check();
                Thread.onSpinWait();
            }
        }
    }

    static class Stubborn extends Working {
        private volatile Thread thread;

        @OnLeader
        @Scheduled(fixedDelay = 10, scheduler = "recordingScheduler")
        public void tick() {
            thread = Thread.currentThread();
            log.add("runs");
            while (mayEnd.getCount() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Records after each task whether the thread is still interrupted. */
    static class RecordingScheduler extends ThreadPoolTaskScheduler {
        final AtomicInteger tasks = new AtomicInteger();
        final AtomicBoolean leftInterrupted = new AtomicBoolean();

        RecordingScheduler() {
            setDaemon(true);
            setTaskDecorator(task -> () -> {
                task.run();
                if (Thread.currentThread().isInterrupted()) {
                    leftInterrupted.set(true);
                }
                tasks.incrementAndGet();
            });
        }
    }

    static class AsksForItsTerm {
        final BlockingQueue<Long> tokens = new LinkedBlockingQueue<>();

        @OnLeader
        @Scheduled(fixedDelay = 10)
        public void tick() {
            tokens.add(io.cle.Term.current().orElseThrow().fencingToken());
        }
    }
}
