package io.cle.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the real lock, whose event multicaster calls each listener on a separate thread.
 * {@code ElectionLifecycle} and the closing thread then race to handle the close of the context; each is first in one test.
 */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "takes long; CI=true ./mvnw verify runs it")
class AsynchronousMulticasterTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LIFECYCLE = "ElectionLifecycle";
    private static final String CLOSING_THREAD = "closing thread";
    private static final ApiServerRequest LEASE =
            ApiServerRequest.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/orders");

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final Applications applications = new Applications(KubernetesAccess.at(server.url()));
    private final Journal journal =
            new Journal(new LinkedBlockingQueue<>(), new CountDownLatch(1), new CountDownLatch(1), this::holder);

    @AfterEach
    void stop() {
        journal.mayEnd.countDown();
        applications.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {LIFECYCLE, CLOSING_THREAD})
    void destroysNoBeanBeforeItsWorkHasEndedAndItsLeaseIsReleased(String first) throws InterruptedException {
        ConfigurableApplicationContext context = applications.start(
                "a",
                journal,
                List.of(Beans.class, Worker.class),
                "--spring.application.name=orders",
                "--cle.resource-lock=leases",
                "--cle.lease-duration=3600s",
                "--cle.drain-timeout=" + PATIENCE.toSeconds() + "s",
                "--spring.lifecycle.timeout-per-shutdown-phase=" + PATIENCE.toSeconds() + "s",
                "--first=" + first);
        assertThat(context.getBean(CoordinatedLeaseLock.class).awaitLeadership(PATIENCE))
                .isTrue();
        assertThat(journal.next()).isEqualTo("works");
        assertThat(holder()).isEqualTo("a");

        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> applications.end("a"));
        assertThat(List.of(journal.next(), journal.next())).containsExactlyInAnyOrder("interrupted", "revoked");
        assertThat(closed).as("while the work goes on").isNotDone();
        journal.mayEnd.countDown();

        assertThat(closed).succeedsWithin(PATIENCE);
        assertThat(journal.entries).containsExactly("ended", "destroyed while '' held the lease");
    }

    private String holder() {
        return ((ServerResponse.Answer) server.handle(LEASE))
                .object()
                .getAsJsonObject("spec")
                .get("holderIdentity")
                .getAsString();
    }

    /**
     * Records events and synchronizes the test with the work.
     *
     * @param interrupted opens when the work is interrupted because the term ends
     * @param mayEnd opens when the test lets the interrupted work end
     * @param holder reads the lease
     */
    record Journal(
            BlockingQueue<String> entries, CountDownLatch interrupted, CountDownLatch mayEnd, Supplier<String> holder) {

        @Nullable
        String next() throws InterruptedException {
            return entries.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    static class Worker implements DisposableBean {
        private final Journal journal;

        Worker(Journal journal) {
            this.journal = journal;
        }

        @OnLeader
        void work() {
            journal.entries.add("works");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                journal.entries.add("interrupted");
                journal.interrupted.countDown();
                await(journal.mayEnd);
                journal.entries.add("ended");
            }
        }

        @EventListener
        void on(OnRevokedLeadership event) {
            journal.entries.add("revoked");
        }

        @Override
        public void destroy() {
            journal.entries.add("destroyed while '" + journal.holder.get() + "' held the lease");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        static Multicaster applicationEventMulticaster(Journal journal, Environment environment) {
            return new Multicaster(environment.getRequiredProperty("first"), journal);
        }
    }

    /** Delays the handling of a close by the second party until the first has ended the term. */
    static class Multicaster extends SimpleApplicationEventMulticaster {
        private final String first;
        private final CountDownLatch firstHasActed;

        Multicaster(String first, Journal journal) {
            this.first = first;
            this.firstHasActed = journal.interrupted;
            setTaskExecutor(new SimpleAsyncTaskExecutor("events-"));
        }

        @Override
        public void multicastEvent(ApplicationEvent event, @Nullable ResolvableType type) {
            super.multicastEvent(event, type);
            if (event instanceof ContextClosedEvent) {
                awaitFirst(CLOSING_THREAD);
            }
        }

        @Override
        protected void invokeListener(ApplicationListener<?> listener, ApplicationEvent event) {
            String called = event instanceof ContextClosedEvent && listener instanceof GenericApplicationListener method
                    ? method.getListenerId()
                    : "";
            if (called.contains(LIFECYCLE)) {
                awaitFirst(LIFECYCLE);
            }
            super.invokeListener(listener, event);
        }

        private void awaitFirst(String name) {
            if (!name.equals(first)) {
                await(firstHasActed);
            }
        }
    }
}
