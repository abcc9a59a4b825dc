package io.cle.coordinator;

import java.security.SecureRandom;
import java.util.ServiceConfigurationError;
import java.util.random.RandomGenerator;

import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.coordinator.cluster.CoordinatorLifecycle;
import io.cle.coordinator.settings.CoordinatorProperties;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.election.internal.Workers;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.ProcessIdentity;
import io.cle.spring.kubernetes.internal.PropertiesKubernetesConnectionDetails;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import io.kubernetes.client.extended.controller.Controller;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The beans of the coordinator: access to the cluster, the core's loop, the election among replicas, and their lifecycle. */
@Configuration(proxyBeanMethods = false)
class CoordinatorConfiguration {

    /**
     * The maximum number of concurrent requests about leases and candidates, each of which occupies a thread. At 10 ms per request this is
     * 800 requests per second, more than the limit of client-go's controllers.
     */
    private static final int REQUESTS_AT_ONCE = 8;

    @Bean
    @ConditionalOnMissingBean
    KubernetesAccess kubernetesAccess(Environment environment) {
        CleProperties.Kubernetes properties =
                Binder.get(environment).bindOrCreate("cle.kubernetes", CleProperties.Kubernetes.class);
        return new PropertiesKubernetesConnectionDetails(properties, () -> null).access();
    }

    /** The transport of the election among replicas. Separate, so that renewals aren't delayed however many leases are coordinated. */
    @Bean
    OkHttpTransport replicaTransport(KubernetesAccess access) {
        return OkHttpTransport.to(access);
    }

    @Bean
    @Primary
    KubernetesTransport kubernetesTransport(OkHttpTransport replicaTransport) {
        return replicaTransport.limitedTo(REQUESTS_AT_ONCE);
    }

    @Bean
    Strategies strategies() {
        try {
            return Strategies.onPathOf(Thread.currentThread().getContextClassLoader());
        } catch (IllegalArgumentException | ServiceConfigurationError e) {
            throw new InvalidConfigurationException(
                    "META-INF/services/" + ElectionStrategy.class.getName(),
                    "on the class path",
                    "can't be used: " + e.getMessage(),
                    "Fix the jar with the election strategy, or remove it from the class path (loader.path).");
        }
    }

    @Bean
    CoordinatorSettings coordinatorSettings(
            CoordinatorProperties properties,
            ConfigurableEnvironment environment,
            Strategies strategies,
            KubernetesAccess access,
            RandomGenerator random) {
        return CoordinatorSettings.of(
                properties,
                properties.strategiesByLease(environment),
                strategies,
                access.namespace(),
                ProcessIdentity.create(null, random));
    }

    @Bean
    RandomGenerator random() {
        return new SecureRandom();
    }

    /**
     * One event loop observes, decides, and renews the replicas' lease, so that a replica whose loop hangs loses that lease
     * (protocol.md#requests-and-limits).
     */
    @Bean
    LockThreads coordinatorThreads() {
        return LockThreads.create("cle-coordinator");
    }

    @Bean
    FormatChoice formatChoice(
            KubernetesTransport transport, CoordinatorSettings settings, LockThreads threads, RandomGenerator random) {
        return FormatChoice.ofCoordinator(
                new FormatDiscovery(
                        transport, settings.replica().lease().namespace(), Timings.DEFAULT.requestTimeout()),
                settings.format(),
                threads.loop(),
                random);
    }

    /** Started and stopped by the lifecycle only. Without a destroy method, because closing the context would close it a second time. */
    @Bean(destroyMethod = "")
    OwnedLock replicaLock(
            CoordinatorSettings settings,
            OkHttpTransport replicaTransport,
            LockThreads threads,
            RandomGenerator random) {
        ObjectClient client = new ObjectClient(
                replicaTransport,
                threads.loop(),
                random,
                settings.replica().timings().requestTimeout());
        return new LeaseLock(
                settings.replica(),
                new LockStores(LeaseClient.of(client, ResourceLock.LEASES, null), null).always(),
                Entropy.system(),
                threads);
    }

    /** Closed by the lifecycle, as part of the replica. */
    @Bean(destroyMethod = "")
    Coordinator coordinator(
            CoordinatorSettings settings,
            LockThreads threads,
            RandomGenerator random,
            Workers workers,
            MeterRegistry meters,
            FormatChoice formats) {
        return new Coordinator(
                settings.election(),
                threads.loop(),
                random,
                workers,
                // The identity is a tag, so that a replica that is scraped twice isn't counted twice.
                reason -> Counter.builder("cle.coordinator.decisions")
                        .description("What was done about leases, by the reason of the Event that says so")
                        .tags("identity", settings.replica().identity(), "reason", reason)
                        .register(meters)
                        .increment(),
                formats::doubt);
    }

    @Bean(destroyMethod = "")
    CoordinatorReplica coordinatorReplica(Coordinator coordinator, OwnedLock replicaLock, LockThreads threads) {
        return new CoordinatorReplica(coordinator, replicaLock, threads.loop());
    }

    @Bean
    ObjectClient objectClient(KubernetesTransport transport, LockThreads threads, RandomGenerator random) {
        return new ObjectClient(transport, threads.loop(), random, Timings.DEFAULT.requestTimeout());
    }

    @Bean
    CoordinatorLifecycle coordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorSettings settings,
            FormatChoice formats,
            ObjectClient client,
            Coordinator coordinator,
            CoordinatorReplica replica,
            Controller controller) {
        return new CoordinatorLifecycle(access, settings, formats, client, coordinator, replica, controller);
    }
}
