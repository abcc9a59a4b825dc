package io.cle.samples.candidate;

import java.time.Duration;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.test.AutoConfigureEmbeddedCluster;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ActiveProfiles;

import static org.awaitility.Awaitility.await;

/** How one test has elections, though all others of the application lead by themselves. */
@SpringBootTest
@ActiveProfiles("alone")
@AutoConfigureEmbeddedCluster
class EmbeddedClusterAmongLonelyTests {

    @Autowired
    private CoordinatedLeaseLock lock;

    @Test
    void joinsTheClustersElection() {
        await().atMost(Duration.ofSeconds(30)).until(() -> lock.snapshot().candidate() != null);
    }
}
