package io.cle.spring.onleader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.spring.FakeLock;
import io.cle.spring.boot.CleAutoConfiguration;
import io.cle.spring.boot.CleOnLeaderAutoConfiguration;
import io.cle.spring.event.LeaderWorkFailed;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

class OnLeaderTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
            .withBean(LeaseLockFactory.class, FakeLock::factory)
            .withPropertyValues("spring.application.name=orders", "cle.leases.reports.namespace=office");

    private void ready(Class<?> bean, Consumer<AssertableApplicationContext> test, String... properties) {
        runner.withPropertyValues(properties).withBean("worker", bean).run(context -> {
            assertThat(context).hasNotFailed();
            ConfigurableApplicationContext source = context.getSourceApplicationContext();
            context.publishEvent(
                    new ApplicationReadyEvent(new SpringApplication(), new String[0], source, Duration.ZERO));
            test.accept(context);
        });
    }

    private static FakeLock lock(AssertableApplicationContext context, String name) {
        return (FakeLock) context.getBean(LeaseLocks.class).get(name);
    }

    private static FakeLock lock(AssertableApplicationContext context) {
        return lock(context, "orders");
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(10, TimeUnit.SECONDS);
            assertThat(next).as("arrives in time").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).as("in time").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- methods that run while leading ---------------------------------------------------------------------------

    static class Worker {
        final BlockingQueue<Object> begun = new LinkedBlockingQueue<>();
        final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        final CountDownLatch mayEnd = new CountDownLatch(1);

        @OnLeader
        void work(Term term) {
            begun.add(term.fencingToken() + " on " + Thread.currentThread().getName());
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException revoked) {
                ended.add("interrupted");
            }
            OnLeaderTests.await(mayEnd);
        }
    }

    @Test
    void aMethodRunsOnAThreadOfItsOwnUntilItIsInterruptedAndItsEndIsWaitedFor() {
        ready(Worker.class, context -> {
            Worker worker = context.getBean(Worker.class);
            lock(context).grant();
            assertThat(next(worker.begun)).isEqualTo("41 on cle-orders-worker.work");

            CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);
            assertThat(next(worker.ended)).isEqualTo("interrupted");
            assertThat(drained).as("while it still works").isNotDone();
            worker.mayEnd.countDown();
            assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
        });
    }

    @Test
    void aMethodRunsAgainInTheNextTerm() {
        ready(Worker.class, context -> {
            Worker worker = context.getBean(Worker.class);
            worker.mayEnd.countDown();
            lock(context).grant();
            next(worker.begun);
            lock(context).revoke(RevokeReason.LEASE_LOST).join();
            lock(context).grant();
            assertThat(next(worker.begun)).isEqualTo("42 on cle-orders-worker.work");
            lock(context).revoke(RevokeReason.STOPPED).join();
        });
    }

    @Test
    void aMethodThatHasNotEndedDoesNotRunTwiceAtOnce() {
        ready(Worker.class, context -> {
            Worker worker = context.getBean(Worker.class);
            lock(context).grant();
            next(worker.begun);
            lock(context).revoke(RevokeReason.RENEW_DEADLINE);
            next(worker.ended);

            lock(context).grant();
            assertThat(worker.begun).as("while the last run still goes on").isEmpty();
            worker.mayEnd.countDown();
            assertThat(next(worker.begun)).isEqualTo("42 on cle-orders-worker.work");
            lock(context).revoke(RevokeReason.STOPPED).join();
        });
    }

    static class Failing {
        final BlockingQueue<LeaderWorkFailed> failures = new LinkedBlockingQueue<>();
        final AtomicInteger runs = new AtomicInteger();

        @OnLeader
        void work() {
            runs.incrementAndGet();
            throw new IllegalStateException("out of paper");
        }

        @EventListener
        void on(LeaderWorkFailed failed) {
            failures.add(failed);
        }
    }

    @Test
    void aFailureIsReportedAndNotRestartedInTheSameTerm() {
        ready(Failing.class, context -> {
            Failing failing = context.getBean(Failing.class);
            lock(context).grant();
            LeaderWorkFailed failed = next(failing.failures);
            assertThat(failed.work()).isEqualTo("worker.work");
            assertThat(failed.fencingToken()).isEqualTo(41);
            assertThat(failed.failure()).hasMessage("out of paper");
            lock(context).revoke(RevokeReason.END_OF_TERM).join();
            assertThat(failing.runs).hasValue(1);
        });
    }

    static class TwoLeases {
        final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

        @OnLeader(lease = "reports")
        void report() {
            begun.add("reports");
        }

        @OnLeader
        void order() {
            begun.add("orders");
        }

        @OnLeader(controller = "route")
        void route() {
            begun.add("route");
        }
    }

    @Test
    void workGoesByTheLeaseThatItNames() {
        ready(TwoLeases.class, context -> {
            TwoLeases worker = context.getBean(TwoLeases.class);
            lock(context, "reports").grant();
            assertThat(next(worker.begun)).isEqualTo("reports");
            lock(context, "reports").revoke(RevokeReason.STOPPED).join();
            assertThat(worker.begun).isEmpty();
        });
    }

    @Test
    void controllersGoByTheLeaseTheyAreAssignedToAndElseByTheDefaultOne() {
        ready(TwoLeases.class, context -> {
            TwoLeases worker = context.getBean(TwoLeases.class);
            lock(context).grant();
            assertThat(List.of(next(worker.begun), next(worker.begun))).containsExactlyInAnyOrder("orders", "route");
        });
        runner.withBean(ControllerAssignments.class, () -> controller -> Optional.of("reports"))
                .withBean("worker", TwoLeases.class)
                .run(context -> {
                    LeaderWork work = context.getBean(LeaderWork.class);
                    assertThat(work.under(new OnLeaderTarget("", "route"), "here"))
                            .isSameAs(work.under(new OnLeaderTarget("reports", ""), "here"));
                });
    }

    // ---- guards --------------------------------------------------------------------------------------------------

    static class Guarded {
        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);

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

        @OnLeader
        @EventListener
        public void slow(Long message) {
            begun.countDown();
            OnLeaderTests.await(mayEnd);
        }
    }

    @Test
    void aGuardedMethodIsNotRunWhenThisProcessDoesNotLead() {
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
    void aGuardedExecutionInProgressIsWaitedForAndNotInterrupted() {
        ready(Guarded.class, context -> {
            lock(context).grant();
            CompletableFuture<Void> execution = CompletableFuture.runAsync(() -> context.publishEvent(7L));
            Guarded guarded = context.getBean(Guarded.class);
            Guarded target = (Guarded) AopProxyUtils.getSingletonTarget(guarded);
            await(target.begun);

            CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);
            assertThat(drained).isNotDone();
            target.mayEnd.countDown();

            assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
            assertThat(execution).succeedsWithin(Duration.ofSeconds(10));
        });
    }

    @OnLeader(lease = "reports")
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

    @Test
    void aClassGuardsItsTriggeredMethodsOnly() {
        ready(GuardedClass.class, context -> {
            GuardedClass guarded = context.getBean(GuardedClass.class);
            assertThat(guarded.on("")).isZero();
            assertThat(guarded.ordinary()).isEqualTo(7);
            lock(context, "reports").grant();
            assertThat(guarded.on("")).isEqualTo(1);
        });
    }

    @Test
    void nothingRunsWhenElectionIsSwitchedOff() {
        runner.withPropertyValues("cle.enabled=false")
                .withBean("worker", Guarded.class)
                .run(context ->
                        assertThat(context.getBean(Guarded.class).tick()).isZero());
    }
}
