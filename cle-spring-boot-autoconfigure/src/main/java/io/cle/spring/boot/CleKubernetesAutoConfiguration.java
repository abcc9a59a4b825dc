package io.cle.spring.boot;

import java.util.SplittableRandom;
import java.util.UUID;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.lock.KeyComparison;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LockThreads;
import io.cle.spring.lock.CandidateKey;
import io.cle.spring.lock.Cluster;
import io.cle.spring.lock.ElectionSettings;
import io.cle.spring.lock.KubernetesLeaseLockFactory;
import io.cle.spring.lock.LeaseFormats;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.lock.RightsCheck;
import io.cle.spring.lock.Takeovers;
import io.cle.spring.properties.CheckedProperties;
import io.cle.spring.properties.ProcessFacts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.util.StringUtils;

/** Auto-configuration for leadership that comes from a Kubernetes cluster. */
@AutoConfiguration(before = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "cle.mode", havingValue = "kubernetes", matchIfMissing = true)
@ConditionalOnMissingBean({LeaseLockFactory.class, CoordinatedLeaseLock.class})
public final class CleKubernetesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    KubernetesAccess kubernetesAccess(CheckedProperties properties) {
        String baseUrl = properties.written().kubernetes().baseUrl();
        return StringUtils.hasText(baseUrl) ? KubernetesAccess.at(baseUrl) : KubernetesAccess.find();
    }

    @Bean
    @ConditionalOnMissingBean
    KubernetesTransport kubernetesTransport(KubernetesAccess access) {
        return access.transport();
    }

    @Bean
    @ConditionalOnMissingBean
    Cluster cluster(KubernetesTransport transport, LockThreads threads) {
        return new Cluster(transport, threads.loop(), new SplittableRandom());
    }

    @Bean
    LeaseLockFactory kubernetesLeaseLockFactory(
            Cluster cluster,
            LockThreads threads,
            ProcessFacts facts,
            ObjectProvider<KeyComparison> comparison,
            ObjectProvider<CandidateKey> key) {
        String nonce = UUID.randomUUID().toString().replace("-", "");
        Takeovers takeovers = new Takeovers(comparison.getIfAvailable(), key.getIfAvailable());
        return new KubernetesLeaseLockFactory(cluster, threads, nonce, facts.pod(), takeovers);
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseFormats leaseFormats(Cluster cluster, ElectionSettings settings) {
        return LeaseFormats.of(cluster, settings);
    }

    @Bean
    @ConditionalOnMissingBean
    RightsCheck rightsCheck(Cluster cluster, ElectionSettings settings) {
        return new RightsCheck(cluster, settings);
    }
}
