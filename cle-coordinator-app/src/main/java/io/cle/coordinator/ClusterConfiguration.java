package io.cle.coordinator;

import java.security.SecureRandom;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.random.RandomGenerator;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.coordinator.cluster.CoordinatorThreads;
import io.cle.coordinator.cluster.RightsCheck;
import io.cle.coordinator.settings.CoordinatorProperties;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.coordinator.settings.KubernetesProperties;
import io.cle.coordinator.settings.SettingsResolver;
import io.cle.coordinator.settings.StrategyKeys;
import io.cle.coordinator.settings.UnknownProperties;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.access.Preflight;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.runtime.internal.lock.Entropy;
import io.cle.runtime.internal.lock.LeaseLock;
import io.cle.runtime.internal.lock.ProcessIdentity;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** The way to the cluster, and the lock that the replicas race for. */
@Configuration(proxyBeanMethods = false)
class ClusterConfiguration {

    @Bean
    @ConditionalOnMissingBean
    KubernetesAccess kubernetesAccess(KubernetesProperties properties) {
        String baseUrl = properties.baseUrl();
        return baseUrl == null || baseUrl.isBlank() ? KubernetesAccess.find() : KubernetesAccess.at(baseUrl);
    }

    @Bean
    KubernetesTransport kubernetesTransport(KubernetesAccess access) {
        return access.transport();
    }

    @Bean
    Strategies strategies() {
        try {
            return Strategies.onPathOf(Thread.currentThread().getContextClassLoader());
        } catch (IllegalArgumentException | ServiceConfigurationError e) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    "META-INF/services/" + ElectionStrategy.class.getName(),
                    "on the class path",
                    "can't be used: " + e.getMessage(),
                    "Mend the jar with the election strategy, or take it off the class path (loader.path).")));
        }
    }

    @Bean
    CoordinatorSettings coordinatorSettings(
            CoordinatorProperties properties,
            ConfigurableEnvironment environment,
            Strategies strategies,
            KubernetesAccess access,
            RandomGenerator random) {
        UnknownProperties.report(environment);
        return new SettingsResolver(strategies, access.namespace(), ProcessIdentity.create(null, random))
                .resolve(properties.withStrategies(StrategyKeys.restore(properties.strategies(), environment)));
    }

    @Bean
    RandomGenerator random() {
        return new SecureRandom();
    }

    @Bean
    CoordinatorThreads coordinatorThreads() {
        return new CoordinatorThreads();
    }

    @Bean
    FormatChoice formatChoice(
            KubernetesTransport transport,
            CoordinatorSettings settings,
            CoordinatorThreads threads,
            RandomGenerator random) {
        return FormatChoice.ofCoordinator(
                new FormatDiscovery(
                        transport, settings.replica().lease().namespace(), Timings.DEFAULT.requestTimeout()),
                settings.format(),
                threads.coordination(),
                random);
    }

    @Bean
    RightsCheck rightsCheck(KubernetesTransport transport, CoordinatorThreads threads, RandomGenerator random) {
        return new RightsCheck(
                new Preflight(transport, Timings.DEFAULT.requestTimeout()), threads.coordination(), random);
    }

    /** Started and stopped by the lifecycle alone; closed with the context, it would be closed a second time. */
    @Bean(destroyMethod = "")
    OwnedLock replicaLock(
            CoordinatorSettings settings,
            KubernetesTransport transport,
            CoordinatorThreads threads,
            RandomGenerator random) {
        KubernetesApis apis = new KubernetesApis(
                transport,
                threads.replica().loop(),
                random,
                settings.replica().timings().requestTimeout());
        return new LeaseLock(
                settings.replica(),
                apis.leases(ResourceLock.LEASES),
                null,
                Entropy.system(),
                threads.replica().loop(),
                threads.replica().callbacks());
    }
}
