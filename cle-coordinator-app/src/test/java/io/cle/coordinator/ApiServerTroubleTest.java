package io.cle.coordinator;

import java.time.Duration;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** API servers that are unreachable, forget, or lack what they should have. */
class ApiServerTroubleTest {

    private static final ResourceType DEFINITIONS =
            new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    @Test
    void anApiServerThatIsAwayAtTheStartIsWaitedForAndReported() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.stop();
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
                assertThat(coordinator.actuator("health/liveness").status()).isEqualTo(200);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(coordinator.actuator("health/readiness").status())
                            .isEqualTo(503);
                    assertThat(coordinator.actuator("health").body())
                            .contains("outcome unknown: GET /apis/coordination.k8s.io");
                });

                server.resume();

                await().atMost(PATIENCE).until(coordinator::ready);
                try (Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                        LeaseLock only = candidates.candidate(ORDERS, "orders-only", "1.0.0")) {
                    only.start();
                    await().atMost(PATIENCE).until(only::isLeader);
                }
            }
        }
    }

    @Test
    void nothingIsLostWhenTheApiServerGoesAwayAndHasForgottenWhatHasHappened() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock newer = candidates.candidate(ORDERS, "orders-newer", "1.2.0");
                LeaseLock older = candidates.candidate(ORDERS, "orders-older", "1.1.0")) {
            newer.start();
            await().atMost(PATIENCE).until(newer::isLeader);

            server.stop();
            await().atMost(PATIENCE).until(() -> !coordinator.ready());
            server.compact();
            server.resume();
            older.start();

            await().atMost(PATIENCE).until(older::isLeader);
            await().atMost(PATIENCE).until(coordinator::ready);
        }
    }

    @Test
    void theOnlyReplicaDoesNotSayThatItCoordinatesOnceItHasLostTheApiServer() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            await().atMost(PATIENCE).until(() -> coordinates(coordinator));
            assertThat(coordinator
                            .actuator("elections")
                            .json()
                            .get("coordinator")
                            .getAsString())
                    .isEqualTo(coordinator.identity());

            server.stop();
            await().atMost(PATIENCE).until(() -> !coordinates(coordinator));

            assertThat(coordinator.actuator("elections").body())
                    .contains("\"coordinating\":false", "\"outages\"")
                    .doesNotContain(coordinator.identity());
            assertThat(coordinator.actuator("health").body()).doesNotContain(coordinator.identity());
        }
    }

    private static boolean coordinates(RunningCoordinator coordinator) {
        return coordinator.actuator("elections").json().get("coordinating").getAsBoolean();
    }

    @Test
    void theManifestToApplyIsNamedWhenTheApiServerDoesNotServeCandidates() {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder()
                        .withoutCustomResourceDefinitions()
                        .start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(coordinator.actuator("health").body())
                                    .contains("apply cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml"));
        }
    }

    @Test
    void withoutTheDefinitionOfLeaseConfigurationsItGoesOn() {
        ObjectKey lease = new ObjectKey("shop", "orders");
        String definition = "leaseconfigurations.coordination.cle.io";
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                Cluster cluster = new Cluster(KubernetesAccess.at(server.url()));
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock newer = candidates.candidate(lease, "orders-newer", "1.2.0");
                LeaseLock older = candidates.candidate(lease, "orders-older", "1.1.0")) {
            cluster.create(
                    ResourceType.LEASE_CONFIGURATIONS,
                    "shop",
                    "orders",
                    "{\"targetLease\": \"orders\", \"strategy\": \"NewestCompatibilityVersion\"}");
            older.start();
            newer.start();
            await().atMost(PATIENCE).until(newer::isLeader);

            cluster.delete(DEFINITIONS, null, definition);

            await().atMost(PATIENCE).until(older::isLeader);
            await().atMost(PATIENCE).until(coordinator::ready);
        }
    }

    @Test
    void aRightToObserveThatIsMissingIsNamedWithTheRoleThatHasItUntilItIsGranted() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.deny("list", "leasecandidates.coordination.cle.io", "*");
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(coordinator.actuator("health/readiness").status())
                            .isEqualTo(503);
                    assertThat(coordinator.actuator("health").body())
                            .contains("is forbidden", "cannot list resource", "leasecandidates", "cle-coordinator");
                });

                server.allowAll();

                await().atMost(PATIENCE).until(coordinator::ready);
            }
        }
    }

    @Test
    void aReplicaWhoseLeaseTakesNoWritesAnyMoreIsNotReady() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            await().atMost(PATIENCE).until(coordinator::ready);

            server.deny("patch", "leases.coordination.k8s.io", "*");
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(coordinator.actuator("health/readiness").status()).isEqualTo(503);
                assertThat(coordinator.actuator("health").body()).contains("replicaElection", "status 403");
            });

            server.allowAll();
            await().atMost(PATIENCE).until(coordinator::ready);
        }
    }
}
