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

import io.cle.RevokeReason;
import io.cle.spring.lock.internal.WorkLog;
import kotlin.Metadata;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.FlowAdapters;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static org.assertj.core.api.Assertions.assertThat;

/** The result of a led method is part of its work. */
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
                CompletableFuture<Void> call = CompletableFuture.runAsync(() -> context.publishEvent("go"));
                assertThat(next(worker.log)).isEqualTo("begins");

                CompletableFuture<Void> drained = lock(context).revoke(RevokeReason.END_OF_TERM);

                assertThat(drained).as("while the task runs").isNotDone();
                worker.mayEnd.countDown();
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
                assertThat(call).succeedsWithin(Duration.ofSeconds(10));
            });
        }
    }

    @Nested
    class OfWorkThatBeginsLater {

        @ParameterizedTest
        @ValueSource(classes = {ReturnsFlux.class, ReturnsJdksPublisher.class, GuardsMono.class, Suspends.class})
        void itFailsTheStart(Class<?> worker) {
            LedApplication.runner()
                    .withBean("worker", worker)
                    .run(context -> assertThat(context.getStartupFailure())
                            .rootCause()
                            .isInstanceOf(OnLeaderUsageException.class)
                            .hasMessageContaining(worker.getSimpleName() + ".work of bean 'worker'")
                            .hasMessageContaining(worker == Suspends.class ? "it is a suspend function" : "it returns ")
                            .satisfies(failure -> assertThat(((OnLeaderUsageException) failure).action())
                                    .contains("block()", "toFuture()")));
        }

        @Test
        void asAFutureItIsCancelledWhenTheTermEnds() {
            ready(ReturnsFutureOfFlux.class, context -> {
                lock(context).grant();
                ReturnsFutureOfFlux worker = target(context, ReturnsFutureOfFlux.class);
                assertThat(next(worker.log)).isEqualTo("subscribed");

                lock(context).revoke(RevokeReason.END_OF_TERM).join();

                assertThat(next(worker.log)).isEqualTo("disposed");
            });
        }
    }

    private static <T> T target(AssertableApplicationContext context, Class<T> type) {
        return type.cast(AopProxyUtils.getSingletonTarget(context.getBean("worker")));
    }

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
        @OnLeader
        Flux<String> work() {
            return Flux.never();
        }
    }

    static class ReturnsJdksPublisher {
        @OnLeader
        Flow.Publisher<String> work() {
            return FlowAdapters.toFlowPublisher(Flux.never());
        }
    }

    static class GuardsMono {
        @OnLeader
        @Scheduled(fixedDelay = 10)
        public Mono<Void> work() {
            return Mono.never();
        }
    }

    /** A suspending function, as Kotlin compiles it. */
    @Metadata
    static class Suspends {
        @OnLeader
        @Scheduled(fixedDelay = 10)
        public Object work(Continuation<? super Unit> continuation) {
            return Unit.INSTANCE;
        }
    }

    static class ReturnsFutureOfFlux {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader
        CompletableFuture<Void> work() {
            return Flux.<String>never()
                    .doOnSubscribe(subscription -> log.add("subscribed"))
                    .doOnCancel(() -> log.add("disposed"))
                    .then()
                    .toFuture();
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
}
