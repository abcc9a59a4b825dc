package io.cle.coordinator;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

import io.cle.coordinator.cluster.CoordinatorLifecycle;
import io.cle.coordinator.cluster.CoordinatorThreads;
import io.cle.coordinator.cluster.ReportingApi;
import io.cle.coordinator.cluster.RightsCheck;
import io.cle.coordinator.control.Coordination;
import io.cle.coordinator.control.LeaseReconciler;
import io.cle.coordinator.control.ReplicaElection;
import io.cle.coordinator.informer.CoordinatorInformers;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.kubernetes.FormatSelection;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.KubernetesApis;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.model.Timings;
import io.cle.runtime.CoordinatedLeaseLock;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.spring.extended.controller.KubernetesReconcilerProcessor;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The coordination: client-java's informers and controller around the coordinator, and who starts and stops them. */
@Configuration(proxyBeanMethods = false)
class CoordinationConfiguration {

    /** How the coordinator calls itself in Events; KEP-4355's name of the controller. */
    private static final String COMPONENT = "coordinated-election-controller";

    /** Makes a {@link Controller} of the reconciler. Static, as it works before there are beans. */
    @Bean
    @SuppressWarnings("deprecation")
    static KubernetesReconcilerProcessor kubernetesReconcilerProcessor() {
        return new KubernetesReconcilerProcessor();
    }

    /** The name is the one that {@link KubernetesReconcilerProcessor} looks for. */
    @Bean(KubernetesReconcilerProcessor.DEFAULT_SHARED_INFORMER_FACTORY_BEAN_NAME)
    @SuppressWarnings("deprecation")
    SharedInformerFactory sharedInformerFactory(KubernetesAccess access) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "cle-informer");
            thread.setDaemon(true);
            return thread;
        });
        return new SharedInformerFactory(access.apiClient().setReadTimeout(0), threads, false);
    }

    @Bean
    Coordination coordination(CoordinatorSettings settings, CoordinatorThreads threads) {
        return new Coordination(settings.election(), threads.coordination());
    }

    @Bean
    LeaseReconciler leaseReconciler(Coordination coordination, MeterRegistry meters) {
        return new LeaseReconciler(coordination, meters);
    }

    @Bean
    CoordinatorInformers coordinatorInformers(
            SharedInformerFactory factory,
            KubernetesTransport transport,
            CoordinatorSettings settings,
            FormatSelection formats,
            CoordinatorThreads threads,
            Coordination coordination) {
        return new CoordinatorInformers(
                factory,
                transport,
                settings.namespaces(),
                () -> formats.known().orElseThrow(() -> new IllegalStateException("the format isn't known yet")),
                threads.coordination(),
                coordination,
                formats::doubt);
    }

    @Bean
    CoordinatorLifecycle coordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorSettings settings,
            FormatSelection formats,
            RightsCheck rights,
            KubernetesTransport transport,
            CoordinatorThreads threads,
            RandomGenerator random,
            MeterRegistry meters,
            CoordinatorInformers informers,
            Coordination coordination,
            Controller controller,
            CoordinatedLeaseLock replicaLock) {
        KubernetesApis apis =
                new KubernetesApis(transport, threads.coordination(), random, Timings.DEFAULT.requestTimeout());
        ReplicaElection.decide(replicaLock, coordination);
        return new CoordinatorLifecycle(
                access,
                settings,
                formats,
                rights,
                format -> new ReportingApi(
                        apis.coordinator(format, settings.namespaces(), COMPONENT), coordination::coordinating, meters),
                informers,
                coordination,
                controller,
                replicaLock);
    }
}
