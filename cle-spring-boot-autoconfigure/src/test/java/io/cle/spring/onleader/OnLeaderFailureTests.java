package io.cle.spring.onleader;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.actuate.internal.LeaderElectionMetrics;
import io.cle.spring.actuate.internal.LeaseDescriptor;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static io.cle.spring.onleader.LedApplication.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OnLeaderFailureTests {

    private static final String[] QUICKLY = {"cle.on-leader.retry-delay=5ms", "cle.on-leader.max-retry-delay=10ms"};

    @Nested
    class WorkThatIsRetried {

        @Test
        void workThatIsRetriedRunsAgainInTheSameTerm() {
            ready(
                    FailsTwice.class,
                    context -> {
                        FailsTwice worker = target(context, FailsTwice.class);
                        lock(context).grant();
                        assertThat(next(worker.runs)).isEqualTo(41);
                        assertThat(next(worker.runs)).isEqualTo(41);
                        assertThat(next(worker.runs))
                                .as("the run that doesn't fail")
                                .isEqualTo(41);
                        Awaitility.await().until(() -> status(context).state() == WorkLog.State.DONE);
                        assertThat(status(context).failures()).isEqualTo(2);
                        assertThat(status(context).state().isFailing()).isFalse();
                    },
                    QUICKLY);
        }

        @Test
        void workThatIsRetriedIsShownAsFailingWhileItWaitsAndStopsWaitingWhenTheTermEnds() {
            ready(
                    FailsTwice.class,
                    context -> {
                        lock(context).grant();
                        Awaitility.await().until(() -> status(context).state() == WorkLog.State.RETRYING);
                        assertThat(status(context).state().isFailing()).isTrue();
                        assertThat(status(context).lastFailure()).contains("out of paper");

                        assertThat(lock(context).revoke(RevokeReason.END_OF_TERM))
                                .succeedsWithin(Duration.ofSeconds(10));

                        assertThat(status(context).state()).isEqualTo(WorkLog.State.IDLE);
                    },
                    "cle.on-leader.retry-delay=1h",
                    "cle.on-leader.max-retry-delay=1h");
        }

        @Test
        void workThatIsRetriedRunsAgainWithoutTheInterruptThatTheFailedRunHasLeft() {
            ready(
                    LeavesAnInterrupt.class,
                    context -> {
                        LeavesAnInterrupt worker = target(context, LeavesAnInterrupt.class);
                        lock(context).grant();
                        assertThat(next(worker.interrupted)).isFalse();
                        assertThat(next(worker.interrupted))
                                .as("the second run")
                                .isFalse();
                        lock(context).revoke(RevokeReason.END_OF_TERM).join();
                    },
                    QUICKLY);
        }

        @Test
        void workThatIsRetriedIsStartedAgainIfItIsALifecycle() {
            ready(
                    StartsAtTheSecondAttempt.class,
                    context -> {
                        lock(context).grant();
                        StartsAtTheSecondAttempt target =
                                (StartsAtTheSecondAttempt) AopProxyUtils.getSingletonTarget(context.getBean("worker"));
                        Awaitility.await().until(target::isRunning);
                        assertThat(status(context).failures()).isEqualTo(1);
                        lock(context).revoke(RevokeReason.END_OF_TERM).join();
                    },
                    QUICKLY);
        }
    }

    @Test
    void aLifecycleThatLeavesAnInterruptWhenItStartsIsNotStoppedForIt() {
        ready(LeavesAnInterruptWhenItStarts.class, context -> {
            LeavesAnInterruptWhenItStarts target =
                    (LeavesAnInterruptWhenItStarts) AopProxyUtils.getSingletonTarget(context.getBean("worker"));
            lock(context).grant();
            Thread thread = next(target.starting);
            Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive());
            assertThat(target.isRunning()).as("while this process leads").isTrue();
            lock(context).revoke(RevokeReason.END_OF_TERM).join();
            assertThat(target.isRunning()).isFalse();
        });
    }

    @Nested
    class WorkThatNoThreadBegins {

        @Test
        void workThatNoThreadBeginsIsShownAsFailing() {
            SimpleAsyncTaskExecutorBuilder threads = new SimpleAsyncTaskExecutorBuilder().taskDecorator(task -> {
                throw new IllegalStateException("no thread-bound request found");
            });
            ready(
                    LedApplication.runner()
                            .withBean(SimpleAsyncTaskExecutorBuilder.class, () -> threads)
                            .withBean("worker", FailsTwice.class),
                    context -> {
                        lock(context).grant();
                        Awaitility.await().until(() -> status(context).state() == WorkLog.State.FAILED);
                        assertThat(status(context).lastFailure()).contains("no thread-bound request found");
                        assertThat(lock(context).revoke(RevokeReason.END_OF_TERM))
                                .as("the drain of work that has never begun")
                                .succeedsWithin(Duration.ofSeconds(10));
                    });
        }
    }

    @Nested
    class Failure {

        @Test
        void theFailureIsCountedAndThrownToTheCallerOfAGuardedRun() {
            ready(FailingGuard.class, context -> {
                lock(context).grant();
                FailingGuard worker = context.getBean(FailingGuard.class);
                assertThatIllegalStateException().isThrownBy(worker::tick).withMessage("out of paper");
                assertThat(status(context).failures()).isEqualTo(1);
                assertThat(status(context).state()).isEqualTo(WorkLog.State.LAST_RUN_FAILED);
                assertThat(lock(context).isLeader()).isTrue();
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
            });
        }

        @Test
        void theFailureIsCountedByAMeterThatIsThereBefore() {
            ready(FailingGuard.class, context -> {
                SimpleMeterRegistry registry = new SimpleMeterRegistry();
                Leases leases = context.getBean(Leases.class);
                LeaderElectionMetrics metrics = new LeaderElectionMetrics(leases);
                metrics.bindTo(registry);
                metrics.customize("orders", leases.get("orders").lock());
                assertThat(failures(registry)).isZero();
                assertThat(registry.get("cle.work.overlaps")
                                .tag("work", "worker.tick")
                                .functionCounter()
                                .count())
                        .isZero();
                lock(context).grant();
                assertThatIllegalStateException()
                        .isThrownBy(() -> context.getBean(FailingGuard.class).tick());
                assertThat(failures(registry)).isEqualTo(1);
            });
        }

        @Test
        void theFailureIsNotCountedAfterTheEndOfTheTerm() {
            ready(FailsWhenItIsStopped.class, context -> {
                FailsWhenItIsStopped worker = target(context, FailsWhenItIsStopped.class);
                lock(context).grant();
                next(worker.begun);
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(status(context).failures()).isZero();
                assertThat(status(context).state()).isEqualTo(WorkLog.State.IDLE);
            });
        }

        @Test
        void theFailureIsShownByTheEndpoint() {
            ready(
                    FailsTwice.class,
                    context -> {
                        lock(context).grant();
                        Awaitility.await().until(() -> status(context).state() == WorkLog.State.RETRYING);
                        LeaseDescriptor lease =
                                new LeaderElectionEndpoint(context.getBean(Leases.class), null).lease("orders");
                        assertThat(lease.work()).singleElement().satisfies(work -> {
                            assertThat(work.work()).isEqualTo("worker.work");
                            assertThat(work.state()).isEqualTo(WorkLog.State.RETRYING);
                            assertThat(work.failures()).isEqualTo(1);
                            assertThat(work.lastFailure()).contains("out of paper");
                        });
                    },
                    "cle.on-leader.retry-delay=1h",
                    "cle.on-leader.max-retry-delay=1h");
        }

        private static double failures(SimpleMeterRegistry registry) {
            return registry.get("cle.work.failures")
                    .tag("lease", "orders")
                    .tag("work", "worker.tick")
                    .functionCounter()
                    .count();
        }
    }

    private static WorkLog.Status status(AssertableApplicationContext context) {
        return LedApplication.status(context);
    }

    static class FailsTwice {
        final BlockingQueue<Long> runs = new LinkedBlockingQueue<>();
        private int failuresLeft = 2;

        @OnLeader
        void work(Term term) {
            runs.add(term.fencingToken());
            if (failuresLeft-- > 0) {
                throw new IllegalStateException("out of paper");
            }
        }
    }

    static class LeavesAnInterrupt {
        final BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();

        @OnLeader
        void work() {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted by the work itself");
        }
    }

    static class FailsWhenItIsStopped {
        final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

        @OnLeader
        void work() {
            begun.add("begun");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("can't clean up");
            }
        }
    }

    @OnLeader
    static class StartsAtTheSecondAttempt extends StartedBean {
        private final AtomicInteger attempts = new AtomicInteger();

        @Override
        public void start() {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("the broker is away");
            }
            super.start();
        }
    }

    @OnLeader
    static class LeavesAnInterruptWhenItStarts extends StartedBean {
        final BlockingQueue<Thread> starting = new LinkedBlockingQueue<>();

        @Override
        public void start() {
            super.start();
            Thread.currentThread().interrupt();
            starting.add(Thread.currentThread());
        }
    }

    static class FailingGuard {

        @OnLeader
        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public void tick() {
            throw new IllegalStateException("out of paper");
        }
    }
}
