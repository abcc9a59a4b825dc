package io.cle.spring.onleader;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.cle.RevokeReason;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static io.cle.spring.onleader.LedApplication.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A call, by another bean, of a method that runs while this process leads. */
class OnLeaderCallTests {

    private final ApplicationContextRunner runner =
            LedApplication.runner().withBean("worker", Worker.class).withBean("caller", Caller.class);

    @Test
    void isRefusedOnAReplicaThatDoesNotLead() {
        ready(runner, context -> {
            assertThatExceptionOfType(OnLeaderUsageException.class)
                    .isThrownBy(context.getBean(Caller.class)::call)
                    .withMessageContaining("method Worker.work of bean 'worker'")
                    .withMessageContaining("was called by other code")
                    .withMessageContaining("Move what both need to a method without @OnLeader");
            assertThat(target(context, Worker.class).begun).isEmpty();
        });
    }

    @Test
    void isRefusedBesideTheLedRunWhichGoesOn() {
        ready(runner, context -> {
            Worker worker = target(context, Worker.class);
            lock(context).grant();
            assertThat(next(worker.begun)).startsWith("cle-orders-worker.work");
            assertThatExceptionOfType(OnLeaderUsageException.class).isThrownBy(context.getBean(Caller.class)::call);
            assertThat(worker.begun).isEmpty();
            lock(context).revoke(RevokeReason.STOPPED).join();
        });
    }

    @Test
    void isRefusedWithinLedWork() {
        ready(runner.withBean(LedCaller.class), context -> {
            lock(context).grant();
            assertThat(next(target(context, LedCaller.class).results)).contains("was called by other code");
            lock(context).revoke(RevokeReason.STOPPED).join();
        });
    }

    @Test
    void ofAnOrdinaryMethodOfTheBeanPasses() {
        ready(
                runner,
                context -> assertThat(context.getBean(Worker.class).ordinary()).isEqualTo(7));
    }

    @Test
    void ofTheGrantCoversTheRetriesOfOtherAdvice() {
        ready(
                LedApplication.runner()
                        .withUserConfiguration(ResilientMethods.class)
                        .withBean("worker", Retried.class),
                context -> {
                    Retried worker = target(context, Retried.class);
                    lock(context).grant();
                    assertThat(next(worker.attempts)).isEqualTo("out of paper");
                    assertThat(next(worker.attempts)).isEqualTo("done");
                    assertThat(LedApplication.status(context).failures())
                            .as("refused attempts")
                            .isZero();
                    lock(context).revoke(RevokeReason.STOPPED).join();
                });
    }

    @Test
    void isRefusedWithinTheGrantedCallOfTheSameMethod() {
        ready(LedApplication.runner().withBean("worker", Recursive.class), context -> {
            lock(context).grant();
            assertThat(next(target(context, Recursive.class).results)).contains("was called by other code");
            lock(context).revoke(RevokeReason.STOPPED).join();
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(order = Ordered.LOWEST_PRECEDENCE)
    static class ResilientMethods {}

    static class Retried {
        final BlockingQueue<String> attempts = new LinkedBlockingQueue<>();
        private boolean failed;

        @OnLeader
        @Retryable(maxRetries = 1, delay = 1)
        void work() throws InterruptedException {
            if (!failed) {
                failed = true;
                attempts.add("out of paper");
                throw new IllegalStateException("out of paper");
            }
            attempts.add("done");
            new CountDownLatch(1).await();
        }
    }

    static class Recursive {
        final BlockingQueue<String> results = new LinkedBlockingQueue<>();

        @Lazy
        @Autowired
        @SuppressWarnings("NullAway.Init")
        private Recursive self;

        @OnLeader
        void work() {
            try {
                self.work();
            } catch (OnLeaderUsageException e) {
                results.add(String.valueOf(e.getMessage()));
            }
        }
    }

    static class Worker {
        final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

        @OnLeader
        void work() throws InterruptedException {
            begun.add(Thread.currentThread().getName());
            new CountDownLatch(1).await();
        }

        int ordinary() {
            return 7;
        }
    }

    static class Caller {
        private final Worker worker;

        Caller(Worker worker) {
            this.worker = worker;
        }

        void call() throws InterruptedException {
            worker.work();
        }
    }

    static class LedCaller {
        final BlockingQueue<String> results = new LinkedBlockingQueue<>();
        private final Worker worker;

        LedCaller(Worker worker) {
            this.worker = worker;
        }

        @OnLeader
        void work() throws InterruptedException {
            try {
                worker.work();
            } catch (OnLeaderUsageException e) {
                results.add(String.valueOf(e.getMessage()));
            }
        }
    }
}
