package io.cle.coordinator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.kubernetes.internal.PropertiesKubernetesConnectionDetails;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.PageFilter.OfService;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans around the coordinator: access to the cluster, the page's snapshots, liveness and meters. */
@Configuration(proxyBeanMethods = false)
class CoordinatorConfiguration {

    /** How many seconds the event loop may take to answer. */
    private static final int PATIENCE = 3;

    @Bean
    @ConditionalOnMissingBean
    KubernetesAccess kubernetesAccess(Environment environment) {
        CleProperties.Kubernetes properties =
                Binder.get(environment).bindOrCreate("cle.kubernetes", CleProperties.Kubernetes.class);
        return new PropertiesKubernetesConnectionDetails(properties, () -> null).access();
    }

    /** The snapshots for {@code /actuator/elections}, the gauges and the page. */
    @Bean
    CoordinatorSnapshots coordinatorSnapshots(CoordinatorLifecycle parts) {
        return new CoordinatorSnapshots.OfLoop(
                parts.coordinator, parts.election.policy(), parts.replica::coordinator, parts.formats::known);
    }

    /** The Service under whose names the page and {@code /actuator/elections} answer. In the manifests it has the application's name. */
    @Bean
    OfService service(KubernetesAccess access, Environment environment) {
        return new OfService(environment.getProperty("spring.application.name", "cle-coordinator"), access.namespace());
    }

    /** Reports down if the event loop doesn't answer, which only a restart can fix. */
    @Bean
    HealthIndicator eventLoopHealthIndicator(CoordinatorLifecycle parts) {
        Health down = Health.down()
                .withDetail("problem", "the event loop doesn't answer within " + PATIENCE + " s")
                .build();
        return () -> CompletableFuture.supplyAsync(() -> Health.up().build(), parts.threads.loop())
                .completeOnTimeout(down, PATIENCE, TimeUnit.SECONDS)
                .join();
    }

    @Bean
    ElectionGauges electionGauges(CoordinatorSnapshots snapshots, MeterRegistry meters) {
        return new ElectionGauges(snapshots, meters, System::nanoTime);
    }
}
