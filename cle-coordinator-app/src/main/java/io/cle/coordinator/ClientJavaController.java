package io.cle.coordinator;

import java.util.concurrent.Executors;

import io.cle.election.internal.Coordinator;
import io.cle.election.internal.Workers;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.DefaultController;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.spring.extended.controller.KubernetesReconcilerProcessor;
import io.kubernetes.client.spring.extended.controller.annotation.KubernetesReconciler;
import io.kubernetes.client.spring.extended.controller.annotation.KubernetesReconcilerWatches;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The reconcile loop, which is a controller of client-java, as in other Kubernetes operators: its work queue, its workers, and a
 * {@link Reconciler}, declared by client-java's Spring integration. Watches are those of the core, because an informer doesn't report
 * whether a version was missed (docs/architecture.md).
 */
@Configuration(proxyBeanMethods = false)
@SuppressWarnings("deprecation")
class ClientJavaController {

    /**
     * A worker waits for the answers to the requests of one reconciliation. One namespace gets at most three of them, so that a namespace
     * whose webhook hangs doesn't block the others.
     */
    private static final int WORKERS = 4;

    /** Creates a {@link Controller} for the reconciler. Static, because it runs before other beans are created. */
    @Bean
    static KubernetesReconcilerProcessor kubernetesReconcilerProcessor() {
        return new KubernetesReconcilerProcessor();
    }

    /** An empty factory, because {@link KubernetesReconcilerProcessor} requires a bean of this name. */
    @Bean(KubernetesReconcilerProcessor.DEFAULT_SHARED_INFORMER_FACTORY_BEAN_NAME)
    SharedInformerFactory sharedInformerFactory(KubernetesAccess access) {
        return new SharedInformerFactory(access.apiClient(), Executors.newCachedThreadPool(), false);
    }

    @Bean
    Workers workers(ObjectProvider<Controller> controller) {
        return new QueueOfController(controller);
    }

    @Bean
    RequestReconciler requestReconciler(CoordinatorLifecycle parts, MeterRegistry meters) {
        Coordinator coordinator = parts.coordinator;
        String identity = parts.replicaConfig.identity();
        Gauge.builder("cle.coordinator.coordinating", coordinator, it -> it.coordinating() ? 1 : 0)
                .description("1 on the replica that coordinates, 0 on a standby")
                .tag("identity", identity)
                .register(meters);
        Gauge.builder("cle.coordinator.queue.depth", coordinator, Coordinator::depth)
                .description("Leases that have to be reconciled and wait for their turn")
                .tag("identity", identity)
                .register(meters);
        return new RequestReconciler(coordinator, timer(meters, identity, "success"), timer(meters, identity, "error"));
    }

    private static Timer timer(MeterRegistry meters, String identity, String result) {
        return Timer.builder("cle.coordinator.reconcile")
                .description("How long a lease's reconciliation takes, requests included")
                .tags("identity", identity, "result", result)
                .register(meters);
    }

    /**
     * Adds leases to the controller's work queue, which is looked up with the first lease, because the reconciler needs the coordinator and
     * the coordinator needs the queue. Retries and rechecks are timers of the coordinator: the delays of the queue can't be cancelled, and
     * it silently drops those beyond a thousand.
     */
    private record QueueOfController(ObjectProvider<Controller> controller) implements Workers {

        @Override
        public void take(ObjectKey lease, Coordinator coordinator) {
            ((DefaultController) controller.getObject())
                    .getWorkQueue()
                    .add(new Request(lease.namespace(), lease.name()));
        }

        @Override
        public int count() {
            return WORKERS;
        }
    }

    /** Reconciles one lease, and returns when that is done. Its name appears in the names of threads and meters. */
    @KubernetesReconciler(
            value = "lease-coordination",
            workerCount = WORKERS,
            watches = @KubernetesReconcilerWatches({}))
    record RequestReconciler(Coordinator coordinator, Timer successes, Timer errors) implements Reconciler {

        /** {@inheritDoc} Never requests a requeue: the coordinator itself retries, with a back-off per lease. */
        @Override
        public Result reconcile(Request request) {
            Timer.Sample sample = Timer.start();
            boolean succeeded = coordinator
                    .reconcile(new ObjectKey(request.getNamespace(), request.getName()))
                    .toCompletableFuture()
                    .join();
            sample.stop(succeeded ? successes : errors);
            return new Result(false);
        }
    }

    /**
     * Excludes controllers from ahead-of-time processing. The processor registers each with an instance supplier, for which no code can be
     * generated, and registers it again when the processed application starts.
     */
    static final class AotExclusion implements BeanRegistrationExcludeFilter {

        @Override
        public boolean isExcludedFromAotProcessing(RegisteredBean bean) {
            return bean.getBeanClass().getName().startsWith("io.kubernetes.client.spring.")
                    && bean.getMergedBeanDefinition().getInstanceSupplier() != null;
        }
    }
}
