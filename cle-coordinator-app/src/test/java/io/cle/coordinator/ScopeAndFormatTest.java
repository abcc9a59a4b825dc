package io.cle.coordinator;

import java.time.Duration;

import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.NativeApi;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Where the coordinator coordinates, and in which format. */
class ScopeAndFormatTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void onlyTheNamespacesInScopeAreCoordinated() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator =
                        RunningCoordinator.at(server.url(), "cle.coordinator.namespaces=shop,bank");
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock elsewhere = candidates.candidate(new ObjectKey("depot", "stock"), "stock-1", "1.0.0");
                LeaseLock shop = candidates.candidate(new ObjectKey("shop", "orders"), "orders-1", "1.0.0");
                LeaseLock bank = candidates.candidate(new ObjectKey("bank", "accounts"), "accounts-1", "1.0.0")) {
            elsewhere.start();
            shop.start();
            bank.start();

            await().atMost(PATIENCE).until(() -> shop.isLeader() && bank.isLeader());
            assertThat(elsewhere.isLeader()).isFalse();
            assertThat(coordinator
                            .actuator("elections")
                            .json()
                            .getAsJsonObject("leases")
                            .keySet())
                    .containsExactlyInAnyOrder("shop/orders", "bank/accounts");
        }
    }

    @Test
    void theNativeFormatIsChosenWhereTheApiServerServesItAndOurStrategiesAreOfferedInIt() {
        ObjectKey orders = new ObjectKey("shop", "orders");
        try (EmbeddedApiServer server =
                        EmbeddedApiServer.builder().serveNative(true).start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                Candidates candidates = new Candidates(
                        KubernetesAccess.at(server.url()), ApiFormat.NATIVE, "NewestCompatibilityVersion");
                LeaseLock older = candidates.candidate(orders, "orders-older", "1.1.0");
                LeaseLock newer = candidates.candidate(orders, "orders-newer", "1.2.0")) {
            older.start();
            await().atMost(PATIENCE).until(older::isLeader);

            newer.start();
            await().atMost(PATIENCE).until(newer::isLeader);
            assertThat(coordinator.actuator("health").body()).contains("\"format\":\"native\"");
        }
    }

    @Test
    void aLeaseWithoutHolderThatAnAdministratorHasMadeGivesTheFirstElectionItsStrategy() {
        ObjectKey orders = new ObjectKey("shop", "orders");
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.handle(ApiServerRequest.post(
                    "/apis/coordination.k8s.io/v1/namespaces/shop/leases", JsonParser.parseString("""
                            {"metadata": {"name": "orders",
                              "annotations": {"coordination.k8s.io/strategy": "NewestCompatibilityVersion"}}}
                            """)));
            try (Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                    LeaseLock older = candidates.candidate(orders, "orders-older", "1.1.0");
                    LeaseLock newer = candidates.candidate(orders, "orders-newer", "1.2.0")) {
                older.start();
                newer.start();
                await().atMost(PATIENCE).until(() -> older.snapshot().candidate() != null);
                await().atMost(PATIENCE).until(() -> newer.snapshot().candidate() != null);

                try (RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
                    await().atMost(PATIENCE).until(newer::isLeader);
                    assertThat(coordinator.actuator("elections").body()).contains("NewestCompatibilityVersion");
                }
                assertThat(newer.snapshot().observed().transitions()).isZero();
            }
        }
    }

    @Test
    void aVersionOfTheNativeApiThatIsDroppedIsLeftForAnotherOneAndElectionsGoOn() {
        ObjectKey orders = new ObjectKey("shop", "orders");
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.serveNativeVersions("v1beta1", "v1alpha2");
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                    Candidates candidates = new Candidates(
                            KubernetesAccess.at(server.url()), ApiFormat.NATIVE, "NewestCompatibilityVersion");
                    LeaseLock older = candidates.candidate(orders, "orders-older", "1.1.0")) {
                older.start();
                await().atMost(PATIENCE).until(older::isLeader);

                server.serveNativeVersions("v1alpha2");

                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(coordinator.actuator("health").body())
                                        .contains("coordination.k8s.io/v1alpha2 LeaseCandidates"));
                server.serveNativeVersions("v1alpha2", "v1beta1");
                try (LeaseLock newer = candidates.candidate(orders, "orders-newer", "1.2.0")) {
                    newer.start();
                    await().atMost(PATIENCE).until(newer::isLeader);
                }
            }
        }
    }

    @Test
    void theFormatThatIsSetIsNotAskedFor() {
        try (EmbeddedApiServer server =
                        EmbeddedApiServer.builder().serveNative(true).start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url(), "cle.coordinator.api=crd");
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock only = candidates.candidate(new ObjectKey("shop", "orders"), "orders-only", "1.2.0")) {
            only.start();

            await().atMost(PATIENCE).until(only::isLeader);
            assertThat(coordinator.actuator("health").body()).contains("the crd format is set");
        }
    }

    @Test
    void theCrdFormatIsChosenIfTheFeatureGateOfTheNativeOneIsOffAndTheReasonIsReported() {
        ObjectKey orders = new ObjectKey("shop", "orders");
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.serveNative(NativeApi.SERVED_WITHOUT_THE_GATE);
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                    Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                    LeaseLock only = candidates.candidate(orders, "orders-only", "1.2.0")) {
                only.start();

                await().atMost(PATIENCE).until(only::isLeader);
                assertThat(coordinator.actuator("health").body())
                        .contains("\"format\":\"crd\"", "feature gate CoordinatedLeaderElection is off");
            }
        }
    }

    @Test
    void theNativeFormatThatIsSetIsWaitedForUntilTheFeatureGateIsOn() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.serveNative(NativeApi.SERVED_WITHOUT_THE_GATE);
            try (RunningCoordinator coordinator = RunningCoordinator.at(server.url(), "cle.coordinator.api=native")) {
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(coordinator.actuator("health").body())
                                        .contains("the native format is set, but", "CoordinatedLeaderElection is off"));

                server.serveNative(true);

                await().atMost(PATIENCE).until(coordinator::ready);
            }
        }
    }

    @Test
    void onlyWhatIsNeededIsExposed() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            assertThat(coordinator
                            .get("/actuator")
                            .json()
                            .getAsJsonObject("_links")
                            .keySet())
                    .containsExactlyInAnyOrder("self", "health", "health-path", "prometheus");
            assertThat(coordinator.actuator("elections/shop/unheard-of").status())
                    .isEqualTo(404);
            assertThat(coordinator.actuator("prometheus").body())
                    .contains("cle_coordinator_coordinating", "cle_coordinator_reconcile_seconds");
            for (String probe : Manifests.probePaths()) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(coordinator.get(probe).status())
                                .as(probe)
                                .isEqualTo(200));
            }
        }
    }
}
