package io.cle.samples.recipes;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.cle.CoordinatedLeaseLock;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeaderOperatorTests {

    private final BlockingQueue<String> reconciliations = new LinkedBlockingQueue<>();

    private EmbeddedApiServer server;

    @BeforeEach
    void aClusterWithOrders() {
        server = EmbeddedApiServer.start();
        try (KubernetesClient client = client()) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("orders")
                            .withNamespace("shop")
                            .endMetadata()
                            .withData(Map.of("open", "1"))
                            .build())
                    .create();
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theNextLeaderReconcilesWhenTheReconciliationOfTheLastOneHasEnded() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (ConfigurableApplicationContext first = replica(new Orders("first", mayEnd))) {
            assertThat(next()).isEqualTo("first reconciles orders");
            try (ConfigurableApplicationContext second = replica(new Orders("second", new CountDownLatch(0)))) {
                CompletableFuture<?> released = lock(first).resign().toCompletableFuture();
                Awaitility.await().until(() -> !lock(first).isLeader());

                assertThat(released).as("while it reconciles").isNotDone();
                assertThat(lock(second).isLeader()).isFalse();
                mayEnd.countDown();
                assertThat(released).succeedsWithin(Duration.ofSeconds(10));
                assertThat(next()).isEqualTo("second reconciles orders");
                assertThat(first.getBean(LeaderOperator.class).isRunning()).isFalse();
            }
        }
    }

    @Test
    void aSecondTermReconcilesWhatWasInProgressAtTheEndOfTheFirst() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Orders orders = new Orders("leader", mayEnd);
        LeaderOperator operator = new LeaderOperator(this::client, it -> it.register(orders));
        operator.start();
        assertThat(next()).isEqualTo("leader reconciles orders");

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(operator::stop);
        Awaitility.await().until(orders::isCutOff);
        mayEnd.countDown();
        assertThat(stopped).succeedsWithin(Duration.ofSeconds(10));
        operator.start();

        assertThat(next()).isEqualTo("leader reconciles orders");
        operator.stop();
    }

    @Test
    void theEndOfATermEndsTheTimerOfItsOperator() {
        AtomicReference<Operator> last = new AtomicReference<>();
        LeaderOperator operator = new LeaderOperator(this::client, it -> {
            it.register(new Orders("leader", new CountDownLatch(0)));
            last.set(it);
        });
        operator.start();
        ScheduledExecutorService timer =
                last.get().getConfigurationService().getExecutorServiceManager().scheduledExecutorService();
        assertThat(timer.isShutdown()).isFalse();

        operator.stop();

        assertThat(timer.isShutdown()).isTrue();
    }

    @Test
    void anOperatorThatDoesNotStartFailsTheStartAndDoesNotRun() {
        LeaderOperator operator = new LeaderOperator(this::client, withoutReconcilers -> {});

        assertThatThrownBy(operator::start).isInstanceOf(OperatorException.class);
        assertThat(operator.isRunning()).isFalse();
    }

    private String next() throws InterruptedException {
        return reconciliations.poll(60, TimeUnit.SECONDS);
    }

    /** Starts a replica of an operator; another one may already lead. */
    private ConfigurableApplicationContext replica(Orders orders) {
        return new SpringApplicationBuilder(Standalone.Application.class)
                .initializers((GenericApplicationContext context) -> context.registerBean(
                        LeaderOperator.class,
                        () -> new LeaderOperator(this::client, operator -> operator.register(orders))))
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(
                        "--spring.application.name=orders-operator",
                        "--cle.resource-lock=leases",
                        "--cle.namespace=shop",
                        "--cle.kubernetes.base-url=" + server.url(),
                        "--spring.main.banner-mode=off");
    }

    private static CoordinatedLeaseLock lock(ConfigurableApplicationContext context) {
        return context.getBean(CoordinatedLeaseLock.class);
    }

    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl(server.url())
                        // The embedded API server has no WebSockets, which fabric8 would try for 19 s.
                        .withOnlyHttpWatches(true)
                        .build())
                .build();
    }

    /** Reconciles ConfigMaps until the test ends a reconciliation. */
    private final class Orders implements Reconciler<ConfigMap> {

        private final String replica;
        private final CountDownLatch mayEnd;
        private volatile @Nullable AbstractEventSource<?, ?> events;

        Orders(String replica, CountDownLatch mayEnd) {
            this.replica = replica;
            this.mayEnd = mayEnd;
        }

        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap orders, Context<ConfigMap> context)
                throws InterruptedException {
            events = context.eventSourceRetriever().getControllerEventSource();
            reconciliations.add(replica + " reconciles " + orders.getMetadata().getName());
            assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
            return UpdateControl.noUpdate();
        }

        /** Whether its operator no longer receives events because it is stopping. */
        boolean isCutOff() {
            AbstractEventSource<?, ?> source = events;
            return source != null && !source.isRunning();
        }
    }
}
