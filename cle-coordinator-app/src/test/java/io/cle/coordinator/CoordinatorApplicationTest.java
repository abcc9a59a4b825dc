package io.cle.coordinator;

import java.time.Duration;

import io.cle.api.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.cle.runtime.LeaseLock;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CoordinatorApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    @Test
    void theFirstCandidateLeadsAndABetterOneTakesOver() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock newer = candidates.candidate(ORDERS, "orders-newer", "1.2.0");
                LeaseLock older = candidates.candidate(ORDERS, "orders-older", "1.1.0")) {
            newer.start();
            await().atMost(PATIENCE).until(newer::isLeader);

            older.start();
            await().atMost(PATIENCE).until(older::isLeader);

            assertThat(newer.isLeader()).isFalse();
            assertThat(coordinator
                            .actuator("elections/shop/orders")
                            .json()
                            .get("holder")
                            .getAsString())
                    .isEqualTo("orders-older");
        }
    }
}
