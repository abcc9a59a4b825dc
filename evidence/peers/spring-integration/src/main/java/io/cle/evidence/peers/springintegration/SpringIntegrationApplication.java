package io.cle.evidence.peers.springintegration;

import java.time.Duration;

import javax.sql.DataSource;

import io.cle.evidence.peers.bare.Timeline;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** A candidate until SIGTERM, which stops the initiator: it unlocks. The lock lives for 15 s; all else is as Spring Integration has it. */
@SpringBootApplication
public class SpringIntegrationApplication {

    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(SpringIntegrationApplication.class, args);
    }

    @Bean
    LockRepository lockRepository(DataSource database) {
        return new DefaultLockRepository(database);
    }

    @Bean
    JdbcLockRegistry lockRegistry(LockRepository repository) {
        return new JdbcLockRegistry(repository, Duration.ofSeconds(15));
    }

    @Bean
    LockRegistryLeaderInitiator leaderInitiator(
            JdbcLockRegistry registry, @Value("${lease}") String lease, @Value("${identity}") String identity) {
        return new LockRegistryLeaderInitiator(registry, new Candidate(identity, lease)) {
            @Override
            public void start() {
                Timeline.boot();
                super.start();
            }
        };
    }

    private static final class Candidate extends AbstractCandidate {

        Candidate(String identity, String lease) {
            super(identity, lease);
        }

        @Override
        public void onGranted(Context context) {
            Timeline.granted();
        }

        @Override
        public void onRevoked(Context context) {
            Timeline.revoked();
        }
    }
}
