package io.cle.coordinator;

import io.cle.OwnedLock;
import io.cle.coordinator.actuate.CoordinatorHealthIndicator;
import io.cle.coordinator.actuate.ElectionGauges;
import io.cle.coordinator.actuate.ElectionsEndpoint;
import io.cle.coordinator.actuate.ProbePort;
import io.cle.coordinator.cluster.RightsCheck;
import io.cle.coordinator.settings.CoordinatorProperties;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.election.internal.CoordinatorLoop;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.lock.internal.LockThreads;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.HostFilter.ServedHosts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans for the coordinator's endpoint, health, meters and probes. */
@Configuration(proxyBeanMethods = false)
class ActuateConfiguration {

    /** The snapshots for the endpoint, the gauges and the page, which {@code cle.coordinator.page.enabled} can disable. */
    @Bean
    CoordinatorSnapshots coordinatorSnapshots(
            CoordinatorLoop coordinator,
            CoordinatorSettings settings,
            CoordinatorReplica replica,
            FormatChoice formats) {
        return new CoordinatorSnapshots.OfLoop(
                coordinator, settings.election().policy(), replica::coordinator, formats::known);
    }

    @Bean
    ElectionsEndpoint electionsEndpoint(CoordinatorSnapshots snapshots) {
        return new ElectionsEndpoint(snapshots);
    }

    @Bean
    CoordinatorHealthIndicator coordinatorHealthIndicator(
            FormatChoice formats,
            RightsCheck rights,
            CoordinatorLoop coordinator,
            CoordinatorReplica replica,
            OwnedLock replicaLock) {
        return new CoordinatorHealthIndicator(formats, rights, coordinator, replica, replicaLock);
    }

    @Bean
    CoordinatorHealthIndicator.OfEventLoop eventLoopHealthIndicator(LockThreads threads) {
        return new CoordinatorHealthIndicator.OfEventLoop(threads.loop());
    }

    @Bean
    ElectionGauges electionGauges(CoordinatorSnapshots snapshots) {
        return new ElectionGauges(snapshots);
    }

    /** Has no condition, because it would be evaluated during ahead-of-time processing and not at run time. */
    @Bean
    ProbePort probePort(CoordinatorProperties properties) {
        return new ProbePort(properties.probes().port());
    }

    /** Opens the probe port in the web server with the actuator: this one, or that of {@link ManagementPortConfiguration}. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> probesOnMainServer(
            ProbePort probes, Environment environment) {
        return factory -> {
            if (ManagementPortType.get(environment) == ManagementPortType.SAME) {
                probes.openIn(factory);
            }
        };
    }

    /** The hosts under which the server answers. In the manifests the Service has the application's name. */
    @Bean
    ServedHosts servedHosts(KubernetesAccess access, ProbePort probes, Environment environment) {
        String service = environment.getProperty("spring.application.name", "cle-coordinator");
        return new ServedHosts(ServedHosts.ofService(service, access.namespace()), probes::localPort);
    }

    @Bean
    MeterBinder coordinatingGauge(CoordinatorLoop coordinator, CoordinatorSettings settings) {
        return registry -> Gauge.builder("cle.coordinator.coordinating", coordinator, it -> it.coordinating() ? 1 : 0)
                .description("1 on the replica that coordinates, 0 on a standby")
                .tag("identity", settings.replica().identity())
                .register(registry);
    }
}
