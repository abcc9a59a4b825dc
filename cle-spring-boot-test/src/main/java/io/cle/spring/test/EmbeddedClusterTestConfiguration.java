package io.cle.spring.test;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.kubernetes.KubernetesConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of {@link AutoConfigureEmbeddedCluster}. */
@Configuration(proxyBeanMethods = false)
final class EmbeddedClusterTestConfiguration {

    @Bean(destroyMethod = "close")
    EmbeddedCluster cleTestEmbeddedCluster() {
        return EmbeddedCluster.start();
    }

    @Bean
    KubernetesConnectionDetails cleTestConnectionDetails(EmbeddedCluster cluster) {
        return () -> KubernetesAccess.at(cluster.url());
    }
}
