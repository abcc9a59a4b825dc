package io.cle.samples.plain;

import java.time.Duration;

import io.cle.LeaderElection;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PlainJavaTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void theNextReplicaLeadsOnceTheLeaderHasLeft() throws InterruptedException {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            ApiClient client = new ClientBuilder().setBasePath(server.url()).build();
            LeaderElection first = PlainJava.join(client, "shop");
            assertThat(first.awaitLeadership(PATIENCE)).isTrue();

            try (LeaderElection second = PlainJava.join(client, "shop")) {
                assertThat(second.isLeader()).isFalse();
                first.close();

                assertThat(second.awaitLeadership(PATIENCE)).isTrue();
            } finally {
                first.close();
            }
        }
    }
}
