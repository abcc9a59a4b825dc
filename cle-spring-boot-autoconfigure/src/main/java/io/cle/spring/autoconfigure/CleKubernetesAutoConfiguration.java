package io.cle.spring.autoconfigure;

import io.cle.CoordinatedLeaseLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.kubernetes.KubernetesConnectionDetails;
import io.cle.spring.kubernetes.internal.KubernetesLeaseLockFactory;
import io.cle.spring.kubernetes.internal.MarkedPod;
import io.cle.spring.kubernetes.internal.PropertiesKubernetesConnectionDetails;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.properties.Mode;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LockOrigin;
import io.cle.spring.properties.internal.ProcessFacts;
import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for locks in a Kubernetes cluster or, if this process joins none, within the process.
 * {@link LockOrigin} decides between the two when the first lock is created. The beans that access a cluster are
 * created only if this process joins one.
 */
@Lazy
@AutoConfiguration(before = CleAutoConfiguration.class)
@ConditionalOnMissingBean({LeaseLockFactory.class, CoordinatedLeaseLock.class})
public final class CleKubernetesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockOrigin cleLockOrigin(
            CleProperties properties, Environment environment, ConfigurableListableBeanFactory factory) {
        return LockOrigin.of(
                properties, environment, factory, () -> PropertiesKubernetesConnectionDetails.areReplacedIn(factory));
    }

    @Bean
    @ConditionalOnMissingBean
    KubernetesConnectionDetails cleKubernetesConnectionDetails(
            ConfiguredLeases checkedBefore, CleProperties properties, ObjectProvider<ApiClient> applicationsClient) {
        return new PropertiesKubernetesConnectionDetails(properties.kubernetes(), applicationsClient::getIfUnique);
    }

    @Bean
    @ConditionalOnMissingBean
    KubernetesAccess cleKubernetesAccess(KubernetesConnectionDetails details) {
        return details.access();
    }

    @Bean
    @ConditionalOnMissingBean
    KubernetesTransport cleKubernetesTransport(KubernetesAccess access) {
        return OkHttpTransport.to(access);
    }

    @Bean
    LeaseLockFactory cleLeaseLockFactory(
            LockOrigin origin,
            CleProperties properties,
            ObjectProvider<KubernetesTransport> transport,
            LockThreads threads,
            Environment environment) {
        return origin.isCluster()
                ? new KubernetesLeaseLockFactory(
                        transport.getObject(), threads, environment.getProperty("spring.application.name"))
                : StandaloneLeaseLockFactory.of(properties.enabled() ? properties.mode() : Mode.STANDALONE, threads);
    }

    /** Labels the leader's pod and has it deleted last. The permission for it is in a separate kustomize component. */
    @Bean
    @ConditionalOnBooleanProperty("cle.leader-pod.enabled")
    @ConditionalOnMissingBean
    MarkedPod cleMarkedPod(LeaseLockFactory factory, Leases leases, ProcessFacts facts) {
        return MarkedPod.of(factory, leases, facts.pod());
    }
}
