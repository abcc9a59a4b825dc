package io.cle.coordinator;

import io.cle.OwnedLock;
import io.cle.coordinator.actuate.CoordinatorHealthIndicator;
import io.cle.coordinator.actuate.ElectionGauges;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.lock.internal.LockThreads;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.HostFilter.ServedHosts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans for {@code /actuator/elections}, health and meters. */
@Configuration(proxyBeanMethods = false)
class ActuateConfiguration {

    /** The snapshots for {@code /actuator/elections}, the gauges and the page. */
    @Bean
    CoordinatorSnapshots coordinatorSnapshots(
            Coordinator coordinator, CoordinatorSettings settings, CoordinatorReplica replica, FormatChoice formats) {
        return new CoordinatorSnapshots.OfLoop(
                coordinator, settings.election().policy(), replica::coordinator, formats::known);
    }

    @Bean
    CoordinatorHealthIndicator coordinatorHealthIndicator(
            FormatChoice formats, Coordinator coordinator, CoordinatorReplica replica, OwnedLock replicaLock) {
        return new CoordinatorHealthIndicator(formats, coordinator, replica, replicaLock);
    }

    @Bean
    CoordinatorHealthIndicator.OfEventLoop eventLoopHealthIndicator(LockThreads threads) {
        return new CoordinatorHealthIndicator.OfEventLoop(threads.loop());
    }

    @Bean
    ElectionGauges electionGauges(CoordinatorSnapshots snapshots, MeterRegistry meters) {
        return new ElectionGauges(snapshots, meters);
    }

    /** The hosts under which the page and {@code /actuator/elections} answer. In the manifests the Service has the application's name. */
    @Bean
    ServedHosts servedHosts(KubernetesAccess access, Environment environment) {
        String service = environment.getProperty("spring.application.name", "cle-coordinator");
        return new ServedHosts(ServedHosts.ofService(service, access.namespace()));
    }

    @Bean
    MeterBinder coordinatingGauge(Coordinator coordinator, CoordinatorSettings settings) {
        return registry -> Gauge.builder("cle.coordinator.coordinating", coordinator, it -> it.coordinating() ? 1 : 0)
                .description("1 on the replica that coordinates, 0 on a standby")
                .tag("identity", settings.replica().identity())
                .register(registry);
    }
}
