package io.cle.coordinator;

import java.util.concurrent.Executors;

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
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has a controller of client-java run the reconcile loop, so that it shows up where operators of Kubernetes look for one: {@link CoordinatorLoop}
 * says which lease has to be reconciled and when, the controller queues it, and its worker hands it back. Nothing is decided here.
 */
@Configuration(proxyBeanMethods = false)
@SuppressWarnings("deprecation")
class ClientJavaController {

    /** Makes a {@link Controller} of the reconciler. Static, because it works before there are beans. */
    @Bean
    static KubernetesReconcilerProcessor kubernetesReconcilerProcessor() {
        return new KubernetesReconcilerProcessor();
    }

    /** Empty: {@link KubernetesReconcilerProcessor} looks for a factory of this name, and the core's own watches observe everything. */
    @Bean(KubernetesReconcilerProcessor.DEFAULT_SHARED_INFORMER_FACTORY_BEAN_NAME)
    SharedInformerFactory sharedInformerFactory(KubernetesAccess access) {
        return new SharedInformerFactory(access.apiClient(), Executors.newCachedThreadPool(), false);
    }

    /**
     * The work queue of the controller, which is looked up with the first lease: its reconciler needs the coordinator, which needs the queue. Only
     * its plain {@code add} is used: the delays of its rate limited one are whole milliseconds, can't be cancelled, and what exceeds its room of
     * a thousand is dropped without a word.
     */
    @Bean
    WorkQueue workQueue(ObjectProvider<Controller> controller) {
        return (lease, coordinator) -> ((DefaultController) controller.getObject())
                .getWorkQueue()
                .add(new Request(lease.namespace(), lease.name()));
    }

    @Bean
    LeaseReconciler leaseReconciler(CoordinatorLoop coordinator, MeterRegistry meters) {
        Timer timer = Timer.builder("cle.coordinator.reconcile")
                .description("How long a lease's reconciliation takes, requests included")
                .register(meters);
        return new LeaseReconciler(coordinator, timer);
    }

    /** Doesn't wait until a lease is reconciled: one worker is enough for any number of leases. Its name is in the names of threads and meters. */
    @KubernetesReconciler(value = "lease-coordination", workerCount = 1, watches = @KubernetesReconcilerWatches({}))
    record LeaseReconciler(CoordinatorLoop coordinator, Timer timer) implements Reconciler {

        /** {@inheritDoc} Never asks for a requeue: the coordinator itself tries again, with a back-off for each lease. */
        @Override
        public Result reconcile(Request request) {
            Timer.Sample sample = Timer.start();
            coordinator
                    .reconcile(new ObjectKey(request.getNamespace(), request.getName()))
                    .thenRun(() -> sample.stop(timer));
            return new Result(false);
        }
    }

    /**
     * Leaves controllers out of what is processed ahead of time. The processor registers each by an instance supplier, from which no code can be
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
