package io.cle.evidence.peers.clientjava;

import java.io.IOException;
import java.time.Duration;

import io.cle.evidence.peers.bare.Timeline;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.util.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A candidate until SIGTERM, which closes the elector: it releases the lease. */
@SpringBootApplication
public class ClientJavaApplication {

    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(ClientJavaApplication.class, args);
    }

    @Bean
    LeaderElector elector(
            @Value("${namespace}") String namespace,
            @Value("${lease}") String lease,
            @Value("${identity}") String identity)
            throws IOException {
        return new LeaderElector(new LeaderElectionConfig(
                new LeaseLock(namespace, lease, identity, Config.defaultClient()),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
    }

    /** Runs the elector again whenever it has lost the lease, as it must be: it doesn't do so itself. */
    @Bean
    ApplicationRunner election(LeaderElector elector) {
        Thread thread = new Thread(
                () -> {
                    Timeline.boot();
                    while (true) {
                        elector.run(Timeline::granted, Timeline::revoked);
                    }
                },
                "election");
        thread.setDaemon(true);
        return arguments -> thread.start();
    }
}
