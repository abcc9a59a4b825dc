package io.cle.coordinator;

import java.util.concurrent.Executors;

import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.election.internal.CoordinatorLoop;
import io.cle.election.internal.WorkQueue;
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
 * Runs the reconcile loop in a controller of client-java, as other Kubernetes operators do: {@link CoordinatorLoop} determines which lease
 * to reconcile and when, the controller queues the lease, and its worker passes it back. Nothing is decided here.
 */
@Configuration(proxyBeanMethods = false)
@SuppressWarnings("deprecation")
class ClientJavaController {

    /** Creates a {@link Controller} for the reconciler. Static, because it runs before other beans are created. */
    @Bean
    static KubernetesReconcilerProcessor kubernetesReconcilerProcessor() {
        return new KubernetesReconcilerProcessor();
    }

    /** An empty factory, because {@link KubernetesReconcilerProcessor} requires a bean of this name. The core uses its own watches. */
    @Bean(KubernetesReconcilerProcessor.DEFAULT_SHARED_INFORMER_FACTORY_BEAN_NAME)
    SharedInformerFactory sharedInformerFactory(KubernetesAccess access) {
        return new SharedInformerFactory(access.apiClient(), Executors.newCachedThreadPool(), false);
    }

    /**
     * Returns the work queue of the controller, which is looked up with the first lease, because the reconciler needs the coordinator and
     * the coordinator needs the queue. Only {@code add} is used: the delays of the rate-limited methods are whole milliseconds and can't be
     * cancelled, and entries beyond a thousand are silently dropped.
     */
    @Bean
    WorkQueue workQueue(ObjectProvider<Controller> controller) {
        return (lease, coordinator) -> ((DefaultController) controller.getObject())
                .getWorkQueue()
                .add(new Request(lease.namespace(), lease.name()));
    }

    @Bean
    LeaseReconciler leaseReconciler(CoordinatorLoop coordinator, CoordinatorSettings settings, MeterRegistry meters) {
        String identity = settings.replica().identity();
        Gauge.builder("cle.coordinator.queue.depth", coordinator, CoordinatorLoop::depth)
                .description("Leases that have to be reconciled and wait for their turn")
                .tag("identity", identity)
                .register(meters);
        return new LeaseReconciler(coordinator, timer(meters, identity, "success"), timer(meters, identity, "error"));
    }

    private static Timer timer(MeterRegistry meters, String identity, String result) {
        return Timer.builder("cle.coordinator.reconcile")
                .description("How long a lease's reconciliation takes, requests included")
                .tags("identity", identity, "result", result)
                .register(meters);
    }

    /**
     * Starts reconciliations without waiting for their completion, so that one worker is enough for any number of leases. Its name appears
     * in the names of threads and meters.
     */
    @KubernetesReconciler(value = "lease-coordination", workerCount = 1, watches = @KubernetesReconcilerWatches({}))
    record LeaseReconciler(CoordinatorLoop coordinator, Timer successes, Timer errors) implements Reconciler {

        /** {@inheritDoc} Never requests a requeue: the coordinator itself retries, with a back-off per lease. */
        @Override
        public Result reconcile(Request request) {
            Timer.Sample sample = Timer.start();
            coordinator
                    .reconcile(new ObjectKey(request.getNamespace(), request.getName()))
                    .thenAccept(succeeded -> sample.stop(succeeded ? successes : errors));
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
