package io.cle.samples.candidate;

import java.time.Duration;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.test.AutoConfigureEmbeddedCluster;
import io.cle.spring.test.EmbeddedCluster;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests of an application with real elections, within its own process. */
@SpringBootTest
@AutoConfigureEmbeddedCluster
class EmbeddedClusterTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Autowired
    private EmbeddedCluster cluster;

    @Autowired
    private CoordinatedLeaseLock lock;

    @Test
    void theCoordinatorElectsTheApplication() {
        await().atMost(PATIENCE).until(lock::isLeader);

        assertThat(lock.snapshot().candidate()).isNotNull();
    }

    @Test
    void aSecondReplicaLeadsOnceTheFirstResigns() {
        await().atMost(PATIENCE).until(lock::isLeader);
        try (ConfigurableApplicationContext second = new SpringApplicationBuilder(CandidateApplication.class)
                .properties("cle.kubernetes.base-url=" + cluster.url(), "cle.identity=second", "cle.retry-period=100ms")
                .run()) {
            CoordinatedLeaseLock other = second.getBean(CoordinatedLeaseLock.class);
            await().atMost(PATIENCE).until(() -> other.snapshot().candidate() != null);

            lock.resign();

            await().atMost(PATIENCE).until(other::isLeader);
            assertThat(lock.isLeader()).isFalse();
        }
    }
}
