package io.cle.coordinator;

import java.util.random.RandomGenerator;

import io.cle.OwnedLock;
import io.cle.Timings;
import io.cle.coordinator.actuate.CoordinatorMeters;
import io.cle.coordinator.cluster.CoordinatorLifecycle;
import io.cle.coordinator.cluster.LeaderServices;
import io.cle.coordinator.cluster.RightsCheck;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.cle.runtime.internal.coordinator.CoordinatorReplica;
import io.cle.runtime.internal.coordinator.WorkQueue;
import io.cle.runtime.internal.lock.LockThreads;
import io.kubernetes.client.extended.controller.Controller;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The coordinator: the core's loop and replica election, as beans. */
@Configuration(proxyBeanMethods = false)
class CoordinationConfiguration {

    /** The coordinator's name in Events: the one that KEP-4355 gives the controller. */
    private static final String COMPONENT = "coordinated-election-controller";

    @Bean
    CoordinatorMeters coordinatorMeters(MeterRegistry meters) {
        return new CoordinatorMeters(meters);
    }

    /** Closed by the lifecycle, as part of the replica. */
    @Bean(destroyMethod = "")
    CoordinatorLoop coordinatorLoop(
            CoordinatorSettings settings,
            LockThreads threads,
            RandomGenerator random,
            WorkQueue queue,
            CoordinatorMeters meters,
            FormatChoice formats) {
        return new CoordinatorLoop(settings.election(), threads.loop(), random, queue, meters, formats::doubt);
    }

    @Bean(destroyMethod = "")
    CoordinatorReplica coordinatorReplica(CoordinatorLoop coordinator, OwnedLock replicaLock, LockThreads threads) {
        return new CoordinatorReplica(coordinator, replicaLock, threads.loop());
    }

    @Bean
    KubernetesApis kubernetesApis(KubernetesTransport transport, LockThreads threads, RandomGenerator random) {
        return new KubernetesApis(transport, threads.loop(), random, Timings.DEFAULT.requestTimeout());
    }

    /** Switched on with the rights of its own component, deploy/leader-service-coordinator. */
    @Bean
    LeaderServices leaderServices(
            Environment environment, CoordinatorLoop coordinator, LockThreads threads, KubernetesApis apis) {
        boolean enabled = environment.getProperty("cle.coordinator.leader-services", Boolean.class, false);
        return new LeaderServices(enabled, coordinator, threads.loop(), apis.leaderlessEndpoints()::empty);
    }

    @Bean
    CoordinatorLifecycle coordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorSettings settings,
            FormatChoice formats,
            RightsCheck rights,
            LeaderServices leaderServices,
            KubernetesApis apis,
            CoordinatorLoop coordinator,
            CoordinatorReplica replica,
            Controller controller) {
        return new CoordinatorLifecycle(
                access,
                settings,
                formats,
                rights,
                leaderServices,
                kind -> apis.coordinator(kind, settings.namespaces(), settings.largestObject(), COMPONENT),
                coordinator,
                replica,
                controller);
    }
}
