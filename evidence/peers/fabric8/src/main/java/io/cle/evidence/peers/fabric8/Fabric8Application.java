package io.cle.evidence.peers.fabric8;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.cle.evidence.peers.bare.Timeline;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A candidate until SIGTERM, which cancels the elector: it releases the lease. */
@SpringBootApplication
public class Fabric8Application {

    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(Fabric8Application.class, args);
    }

    @Bean
    KubernetesClient kubernetesClient() {
        return new KubernetesClientBuilder().build();
    }

    @Bean
    LeaderElector elector(
            KubernetesClient client,
            @Value("${namespace}") String namespace,
            @Value("${lease}") String lease,
            @Value("${identity}") String identity) {
        return client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(lease)
                        .withLock(new LeaseLock(namespace, lease, identity))
                        .withLeaseDuration(Duration.ofSeconds(15))
                        .withRenewDeadline(Duration.ofSeconds(10))
                        .withRetryPeriod(Duration.ofSeconds(2))
                        .withReleaseOnCancel()
                        .withLeaderCallbacks(new LeaderCallbacks(Timeline::granted, Timeline::revoked, leader -> {}))
                        .build())
                .build();
    }

    @Bean
    Election election(LeaderElector elector) {
        return new Election(elector);
    }

    /** Starts the elector again whenever it has lost the lease, as it must be: it doesn't do so itself. Thread-safe. */
    static final class Election implements ApplicationRunner, DisposableBean {

        private final LeaderElector elector;
        private CompletableFuture<?> running = new CompletableFuture<>();
        private boolean ending;

        Election(LeaderElector elector) {
            this.elector = elector;
        }

        @Override
        public void run(ApplicationArguments arguments) {
            Timeline.boot();
            start();
        }

        private synchronized void start() {
            if (!ending) {
                running = elector.start();
                running.whenComplete((ended, failure) -> start());
            }
        }

        @Override
        public void destroy() {
            current().cancel(true);
        }

        private synchronized CompletableFuture<?> current() {
            ending = true;
            return running;
        }
    }
}
