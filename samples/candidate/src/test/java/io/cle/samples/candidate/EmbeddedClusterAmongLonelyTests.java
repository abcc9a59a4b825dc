package io.cle.samples.candidate;

import java.time.Duration;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.test.AutoConfigureEmbeddedCluster;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ActiveProfiles;

import static org.awaitility.Awaitility.await;

/** One test with elections, in an application whose other tests lead without a cluster. */
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
