package io.cle.spring.kubernetes;

import java.util.SplittableRandom;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.KeyComparison;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.spring.kubernetes.internal.Cluster;
import io.cle.spring.kubernetes.internal.KubernetesLeaseLockFactory;
import io.cle.spring.kubernetes.internal.LeaseFormats;
import io.cle.spring.kubernetes.internal.PropertiesKubernetesConnectionDetails;
import io.cle.spring.kubernetes.internal.RightsCheck;
import io.cle.spring.kubernetes.internal.Takeovers;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.properties.internal.CheckedProperties;
import io.cle.spring.properties.internal.ProcessFacts;
import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for leadership that comes from a Kubernetes cluster. */
@AutoConfiguration(before = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "cle.mode", havingValue = "kubernetes", matchIfMissing = true)
@ConditionalOnMissingBean({LeaseLockFactory.class, CoordinatedLeaseLock.class})
public final class CleKubernetesAutoConfiguration {

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

    @Bean
    @ConditionalOnMissingBean
    RightsCheck cleRightsCheck(Cluster cluster, ElectionSettings settings) {
        return new RightsCheck(cluster, settings);
    }
}
