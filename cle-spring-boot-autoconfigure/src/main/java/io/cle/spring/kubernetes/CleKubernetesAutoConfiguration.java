package io.cle.spring.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.KeyComparison;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.spring.kubernetes.internal.Cluster;
import io.cle.spring.kubernetes.internal.EventsOfTerms;
import io.cle.spring.kubernetes.internal.KubernetesLeaseLockFactory;
import io.cle.spring.kubernetes.internal.LeaderService;
import io.cle.spring.kubernetes.internal.LeaseFormats;
import io.cle.spring.kubernetes.internal.PodCheck;
import io.cle.spring.kubernetes.internal.PropertiesKubernetesConnectionDetails;
import io.cle.spring.kubernetes.internal.RightsCheck;
import io.cle.spring.kubernetes.internal.Takeovers;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.properties.internal.CheckedProperties;
import io.cle.spring.properties.internal.LockOrigin;
import io.cle.spring.properties.internal.ProcessFacts;
import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for leadership that comes from a Kubernetes cluster. Its beans are made when a lock is: an application whose test has
 * replaced its lock needs no cluster.
 */
@Lazy
@AutoConfiguration(before = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "cle.mode", havingValue = "kubernetes", matchIfMissing = true)
@ConditionalOnMissingBean({LeaseLockFactory.class, CoordinatedLeaseLock.class})
public final class CleKubernetesAutoConfiguration {

    /** For a lock that a test has replaced: there is no cluster to write to. */
    private static final LeaseLockCustomizer UNCHANGED = (name, lock) -> {};

    @Bean
    @ConditionalOnMissingBean
    KubernetesConnectionDetails cleKubernetesConnectionDetails(
            CheckedProperties properties, ObjectProvider<ApiClient> applicationsClient) {
        return new PropertiesKubernetesConnectionDetails(
                properties.written().kubernetes(), applicationsClient::getIfUnique);
    }

    @Bean
    @ConditionalOnMissingBean
    KubernetesAccess cleKubernetesAccess(KubernetesConnectionDetails details) {
        return details.access();
    }

    @Bean
    @ConditionalOnMissingBean
    KubernetesTransport cleKubernetesTransport(KubernetesAccess access) {
        return access.transport();
    }

    @Bean
    @ConditionalOnMissingBean
    Cluster cleCluster(KubernetesTransport transport, LockThreads threads) {
        return new Cluster(transport, threads.loop(), new SplittableRandom());
    }

    @Bean
    LeaseLockFactory cleLeaseLockFactory(
            Cluster cluster,
            LockThreads threads,
            ProcessFacts facts,
            ObjectProvider<KeyComparison> comparison,
            ObjectProvider<CandidateKey> key) {
        Takeovers takeovers = new Takeovers(comparison.getIfAvailable(), key.getIfAvailable());
        return new KubernetesLeaseLockFactory(cluster, threads, facts.pod(), takeovers);
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseFormats cleLeaseFormats(Cluster cluster, ElectionSettings settings) {
        return LeaseFormats.of(cluster, settings);
    }

    /** A Service that leads to the leader alone; its rights are a component of their own. */
    @Bean
    @ConditionalOnBooleanProperty("cle.leader-service.enabled")
    @ConditionalOnMissingBean(LeaderService.class)
    LeaseLockCustomizer cleLeaderService(
            ObjectProvider<Cluster> cluster,
            LockOrigin origin,
            ElectionSettings settings,
            ProcessFacts facts,
            Environment environment) {
        return origin.replaced()
                ? UNCHANGED
                : new LeaderService(cluster.getObject(), settings, environment.getProperty("POD_IP"), facts.pod());
    }

    /** Events as client-go's electors write them; a coordinated lease has the coordinator's. */
    @Bean
    @ConditionalOnBooleanProperty(name = "cle.events.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(EventsOfTerms.class)
    LeaseLockCustomizer cleEventsOfTerms(
            ObjectProvider<Cluster> cluster, LockOrigin origin, ElectionSettings settings, Environment environment) {
        return origin.replaced()
                ? UNCHANGED
                : new EventsOfTerms(
                        cluster.getObject(), settings, environment.getProperty("spring.application.name", "cle"));
    }

    @Bean
    @ConditionalOnMissingBean
    PodCheck clePodCheck(
            ObjectProvider<Cluster> cluster, LockOrigin origin, ElectionSettings settings, Environment environment) {
        Duration shutdownPhase = environment.getProperty(
                "spring.lifecycle.timeout-per-shutdown-phase", Duration.class, Duration.ofSeconds(30));
        return new PodCheck(
                environment::getProperty,
                settings,
                shutdownPhase,
                pod -> origin.replaced()
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : cluster.getObject().gracePeriod(pod));
    }

    @Bean
    @ConditionalOnMissingBean
    RightsCheck cleRightsCheck(Cluster cluster, ElectionSettings settings) {
        return new RightsCheck(cluster, settings);
    }
}
