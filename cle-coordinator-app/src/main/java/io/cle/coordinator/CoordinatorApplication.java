package io.cle.coordinator;

import io.cle.coordinator.cluster.MemoryExhaustion;
import io.kubernetes.client.spring.extended.controller.config.KubernetesInformerAutoConfiguration;
import io.kubernetes.client.spring.extended.controller.config.KubernetesReconcilerAutoConfiguration;
import io.kubernetes.client.spring.extended.manifests.config.KubernetesManifestsAutoConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * The coordinator. The auto-configurations of client-java's Spring integration are left out: they would make an API client of
 * their own, and one for {@code localhost:8080} where there is no cluster configuration.
 */
@SpringBootApplication(
        exclude = {
            KubernetesInformerAutoConfiguration.class,
            KubernetesReconcilerAutoConfiguration.class,
            KubernetesManifestsAutoConfiguration.class
        })
@ConfigurationPropertiesScan
public class CoordinatorApplication {

    /**
     * Runs the coordinator until it's ended by a signal. A start that fails ends the process: the threads of the controller
     * machinery are no daemons and would keep it running without coordinating anything.
     */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] args) {
        MemoryExhaustion.watchThreads();
        try {
            SpringApplication.run(CoordinatorApplication.class, args);
        } catch (SpringApplication.AbandonedRunException e) {
            // Not a failure: process-aot has seen enough.
            throw e;
        } catch (RuntimeException | Error e) {
            System.exit(1);
        }
    }
}
