package io.cle.spring.onleader;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.internal.WorkLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.reactivestreams.FlowAdapters;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static org.assertj.core.api.Assertions.assertThat;

/** What led methods return is part of their work. */
class OnLeaderResultTests {

    @Nested
    class OfAMethodThatRunsWhileLeading {

        @Test
        void aFutureIsAwaitedAndCancelledWhenTheTermEnds() {
            ready(ReturnsFuture.class, context -> {
                ReturnsFuture worker = target(context, ReturnsFuture.class);
                lock(context).grant();
                next(worker.begun);
                assertThat(LedApplication.status(context).state()).isEqualTo(WorkLog.State.RUNNING);

                lock(context).revoke(RevokeReason.END_OF_TERM).join();

                assertThat(worker.future).isCancelled();
            });
        }

        @Test
        void aFutureThatCompletesEndsTheWork() {
            ready(ReturnsFuture.class, context -> {
                lock(context).grant();
                ReturnsFuture worker = target(context, ReturnsFuture.class);
                next(worker.begun);
                worker.future.complete("done");
                Awaitility.await().until(() -> LedApplication.status(context).state() == WorkLog.State.DONE);
            });
        }

        @Test
        void aFutureThatFailsIsAFailureOfTheWork() {
            ready(ReturnsFuture.class, context -> {
                lock(context).grant();
                ReturnsFuture worker = target(context, ReturnsFuture.class);
                next(worker.begun);
                worker.future.completeExceptionally(new IllegalStateException("out of paper"));
                Awaitility.await().until(() -> LedApplication.status(context).failures() == 1);
                assertThat(LedApplication.status(context).lastFailure()).contains("out of paper");
            });
        }

        @Test
        void aTaskOfAnExecutorIsInterrupted() {
            ready(ReturnsTask.class, context -> {
                lock(context).grant();
                ReturnsTask worker = target(context, ReturnsTask.class);
                assertThat(next(worker.log)).isEqualTo("begins");
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(next(worker.log)).isEqualTo("interrupted");
            });
        }

        @Test
        void aPublisherIsSubscribedToUntilTheTermEnds() {
            ready(ReturnsFlux.class, context -> {
                lock(context).grant();
                ReturnsFlux worker = target(context, ReturnsFlux.class);
                assertThat(next(worker.log)).isEqualTo("subscribed");

                lock(context).revoke(RevokeReason.END_OF_TERM).join();

                assertThat(next(worker.log)).isEqualTo("disposed");
            });
        }
    }

    @Nested
    class OfTheJdksPublishers {

        @Test
        void oneIsSubscribedToUntilTheTermEnds() {
            ready(ReturnsJdksPublisher.class, context -> {
                lock(context).grant();
                ReturnsJdksPublisher worker = target(context, ReturnsJdksPublisher.class);
                assertThat(next(worker.log)).isEqualTo("subscribed");
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(next(worker.log)).isEqualTo("disposed");
            });
        }
    }

    @Nested
    class OfAGuardedMethod {

        @Test
        void aFutureIsWaitedForAndCancelled() {
            ready(GuardsFuture.class, context -> {
                GuardsFuture worker = target(context, GuardsFuture.class);
                lock(context).grant();
                context.publishEvent("go");

                lock(context).revoke(RevokeReason.END_OF_TERM).join();

                assertThat(worker.future).isCancelled();
            });
        }

        @Test
        void aPlainFutureIsWaitedForToo() {
            ready(GuardsTask.class, context -> {
                GuardsTask worker = target(context, GuardsTask.class);
                lock(context).grant();
                context.publishEvent("go");
                assertThat(next(worker.log)).isEqualTo("begins");

                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);

                assertThat(drained).as("while the task runs").isNotDone();
                worker.mayEnd.countDown();
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
            });
        }

        @Test
        void aMonoIsSubscribedToAtEachTickWhileThisProcessLeads() {
            ready(scheduled(GuardsMono.class), context -> {
                GuardsMono worker = target(context, GuardsMono.class);
                worker.awaitTicks();
                assertThat(worker.subscriptions).as("before this process leads").hasValue(0);
                lock(context).grant();
                assertThat(next(worker.tokens)).isEqualTo(41);
                assertThat(next(worker.tokens)).isEqualTo(41);
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                int after = worker.subscriptions.get();
                worker.awaitTicks();
                assertThat(worker.subscriptions).as("after the term").hasValue(after);
                worker.tokens.clear();
                lock(context).grant();
                assertThat(next(worker.tokens)).isEqualTo(42);
                assertThat(worker.subscriptions.get()).isGreaterThan(after);
            });
        }

        @Test
        void aMonoWithAValueIsLeftToComplete() {
            ready(scheduled(GuardsMonoWithAValue.class), context -> {
                GuardsMonoWithAValue worker = target(context, GuardsMonoWithAValue.class);
                lock(context).grant();
                assertThat(next(worker.signals)).isEqualTo(SignalType.ON_COMPLETE);
                assertThat(next(worker.signals)).isEqualTo(SignalType.ON_COMPLETE);
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(LedApplication.status(context).state()).isEqualTo(WorkLog.State.IDLE);
            });
        }

        @Test
        void aPublisherThatItsSubscriberCancelsHasEnded() {
            ready(GuardsFlux.class, context -> {
                GuardsFlux worker = (GuardsFlux) context.getBean("worker");
                lock(context).grant();
                Disposable subscription = worker.tick().subscribe();
                assertThat(LedApplication.status(context).state()).isEqualTo(WorkLog.State.RUNNING);
                subscription.dispose();
                assertThat(LedApplication.status(context).state()).isEqualTo(WorkLog.State.IDLE);
            });
        }

        @Test
        void aFluxIsCancelledWhenTheTermEndsAndWaitedFor() {
            ready(scheduled(GuardsFlux.class), context -> {
                GuardsFlux worker = target(context, GuardsFlux.class);
                lock(context).grant();
                assertThat(next(worker.log)).isEqualTo("subscribed");
                lock(context).revoke(RevokeReason.END_OF_TERM).join();
                assertThat(next(worker.log)).isEqualTo("cancelled");
            });
        }
    }

    private static ApplicationContextRunner scheduled(Class<?> worker) {
        return LedApplication.runner().withUserConfiguration(Scheduling.class).withBean("worker", worker);
    }

    private static <T> T target(AssertableApplicationContext context, Class<T> type) {
        return type.cast(AopProxyUtils.getSingletonTarget(context.getBean("worker")));
    }

    @EnableScheduling
    @Configuration(proxyBeanMethods = false)
    static class Scheduling {}

    static class ReturnsFuture {
        final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
        final CompletableFuture<String> future = new CompletableFuture<>();

        @OnLeader
        CompletionStage<String> work() {
            begun.add("begun");
            return future;
        }
    }

    static class ReturnsTask {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();
        private final ExecutorService executor = Executors.newCachedThreadPool();

        @OnLeader
        Future<?> work() {
            return executor.submit(() -> {
                log.add("begins");
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
            });
        }
    }

    static class ReturnsFlux {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        Flux<String> work() {
            return Flux.<String>never()
                    .doOnSubscribe(subscription -> log.add("subscribed"))
                    .doOnCancel(() -> log.add("disposed"));
        }
    }

    static class ReturnsJdksPublisher {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        Flow.Publisher<String> work() {
            return FlowAdapters.toFlowPublisher(Flux.<String>never()
                    .doOnSubscribe(subscription -> log.add("subscribed"))
                    .doOnCancel(() -> log.add("disposed")));
        }
    }

    static class GuardsFuture {
        final CompletableFuture<String> future = new CompletableFuture<>();

        @OnLeader
        @EventListener
        public CompletableFuture<String> on(String message) {
            return future;
        }
    }

    static class GuardsTask {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();
        final CountDownLatch mayEnd = new CountDownLatch(1);
        private final ExecutorService executor = Executors.newCachedThreadPool();

        @OnLeader(interrupt = false)
        @EventListener
        public Future<?> on(String message) {
            return executor.submit(() -> {
                log.add("begins");
                LedApplication.await(mayEnd);
            });
        }
    }

    static class GuardsMono {
        final AtomicInteger subscriptions = new AtomicInteger();
        final BlockingQueue<Long> tokens = new LinkedBlockingQueue<>();
        final AtomicInteger ticks = new AtomicInteger();

        @OnLeader
        @Scheduled(fixedDelay = 10)
        public Mono<Void> tick() {
            return Mono.deferContextual(context -> {
                subscriptions.incrementAndGet();
                tokens.add(context.get(Term.class).fencingToken());
                return Mono.empty();
            });
        }

        @Scheduled(fixedDelay = 10)
        public void tickUnguarded() {
            ticks.incrementAndGet();
        }

        /** Until each of the two, which tick in turns on the scheduler's one thread, has ticked again. */
        void awaitTicks() {
            int before = ticks.get();
            Awaitility.await().until(() -> ticks.get() > before + 2);
        }
    }

    static class GuardsMonoWithAValue {
        final BlockingQueue<SignalType> signals = new LinkedBlockingQueue<>();

        @OnLeader
        @Scheduled(fixedDelay = 10)
        public Mono<String> tick() {
            return Mono.just("done").doFinally(signals::add);
        }
    }

    static class GuardsFlux {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        @Scheduled(fixedDelay = 10)
        public Flux<String> tick() {
            return Flux.<String>never()
                    .doOnSubscribe(subscription -> log.add("subscribed"))
                    .doOnCancel(() -> log.add("cancelled"));
        }
    }
}
