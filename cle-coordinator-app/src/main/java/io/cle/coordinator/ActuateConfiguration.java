package io.cle.coordinator;

import io.cle.coordinator.actuate.CoordinatorHealthIndicator;
import io.cle.coordinator.actuate.ElectionsEndpoint;
import io.cle.coordinator.actuate.EventLoopHealthIndicator;
import io.cle.coordinator.cluster.CoordinatorThreads;
import io.cle.coordinator.cluster.RightsCheck;
import io.cle.coordinator.control.Coordination;
import io.cle.coordinator.informer.CoordinatorInformers;
import io.cle.kubernetes.FormatSelection;
import io.cle.runtime.CoordinatedLeaseLock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the coordinator shows of itself. */
@Configuration(proxyBeanMethods = false)
class ActuateConfiguration {

    @Bean
    ElectionsEndpoint electionsEndpoint(Coordination coordination, CoordinatedLeaseLock replicaLock) {
        return new ElectionsEndpoint(coordination, replicaLock);
    }

    @Bean
    CoordinatorHealthIndicator coordinatorHealthIndicator(
            FormatSelection formats,
            RightsCheck rights,
            CoordinatorInformers informers,
            Coordination coordination,
            CoordinatedLeaseLock replicaLock) {
        return new CoordinatorHealthIndicator(formats, rights, informers, coordination, replicaLock);
    }

    @Bean
    EventLoopHealthIndicator eventLoopHealthIndicator(CoordinatorThreads threads) {
        return new EventLoopHealthIndicator(threads.coordination());
    }

    @Bean
    MeterBinder coordinatorMeters(Coordination coordination) {
        return registry -> Gauge.builder("cle.coordinator.coordinating", coordination, it -> it.coordinating() ? 1 : 0)
                .description("1 on the replica that coordinates, 0 on a standby")
                .register(registry);
    }
}
