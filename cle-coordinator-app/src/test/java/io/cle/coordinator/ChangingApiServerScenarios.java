package io.cle.coordinator;

import java.time.Duration;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** API servers that stop or start serving the native API while a coordinator and candidates run. */
abstract class ChangingApiServerScenarios {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    /** A kube-apiserver takes some seconds to start, and many on a busy machine. */
    private static final Timings PATIENT =
            new Timings(Duration.ofSeconds(120), Duration.ofSeconds(100), Duration.ofSeconds(2));

    private KubernetesAccess access;

    /** Starts an API server. */
    abstract KubernetesAccess start(boolean servesNative);

    /** Stops the API server from accepting requests. */
    abstract void goAway();

    /** Lets the API server accept requests again. */
    abstract void comeBack(boolean servesNative);

    /** Ends the API server. */
    @AfterEach
    abstract void stop();

    private void given(boolean servesNative) {
        access = start(servesNative);
        try (Cluster cluster = new Cluster(access)) {
            cluster.createNamespace(ORDERS.namespace());
        }
    }

    private Candidates candidates(ApiFormat format) {
        return new Candidates(access, format, "NewestCompatibilityVersion").with(PATIENT);
    }

    /** Restarts the API server after its outage was noticed: a watch that ends properly once the server is back causes no discovery. */
    private void restart(RunningCoordinator observer, boolean servesNative) {
        goAway();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(health(observer)).contains("\"status\":\"DOWN\""));
        comeBack(servesNative);
    }

    private static String health(RunningCoordinator coordinator) {
        return coordinator.actuator("health").body();
    }

    @Test
    void whenTheNativeApiIsNoLongerServedItChangesToTheCrdFormatAndTheLeaderLeadsOn() {
        given(true);
        try (RunningCoordinator coordinator = RunningCoordinator.at(access);
                Candidates natives = candidates(ApiFormat.NATIVE);
                Candidates crds = candidates(ApiFormat.CRD);
                LeaseLock before = natives.candidate(ORDERS, "orders-before", "1.1.0");
                LeaseLock after = crds.candidate(ORDERS, "orders-after", "1.2.0");
                LeaseLock better = crds.candidate(ORDERS, "orders-better", "1.3.0")) {
            before.start();
            await().atMost(PATIENCE).until(before::isLeader);
            long token = before.fencingToken().orElseThrow();
            assertThat(health(coordinator)).contains("\"format\":\"native\"");

            restart(coordinator, false);
            after.start();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health(coordinator))
                            .contains("\"status\":\"DOWN\"", "doesn't serve coordination.k8s.io/v1beta1"));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health(coordinator)).contains("\"format\":\"crd\""));
            await().atMost(PATIENCE).until(coordinator::ready);
            assertThat(before.fencingToken()).hasValue(token);
            assertThat(after.isLeader()).isFalse();

            before.stop();
            await().atMost(PATIENCE).until(after::isLeader);
            better.start();
            await().atMost(PATIENCE).until(better::isLeader);
            assertThat(after.isLeader()).isFalse();
        }
    }

    @Test
    void whenTheNativeApiComesToBeServedTheCrdFormatIsKeptUntilTheNextStart() {
        given(false);
        try (Candidates crds = candidates(ApiFormat.CRD);
                Candidates natives = candidates(ApiFormat.NATIVE);
                LeaseLock only = crds.candidate(ORDERS, "orders-crd", "1.1.0");
                LeaseLock next = natives.candidate(ORDERS, "orders-native", "1.2.0")) {
            try (RunningCoordinator coordinator = RunningCoordinator.at(access)) {
                only.start();
                await().atMost(PATIENCE).until(only::isLeader);

                restart(coordinator, true);

                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(health(coordinator))
                                .contains("\"format\":\"crd\"", "the API server serves coordination.k8s.io/v1beta1"));
                await().atMost(PATIENCE).until(coordinator::ready);
                assertThat(only.isLeader()).isTrue();
            }

            try (RunningCoordinator another = RunningCoordinator.at(access)) {
                await().atMost(PATIENCE).until(another::ready);
                assertThat(health(another)).contains("\"format\":\"native\"");
                only.stop().toCompletableFuture().join();
                next.start();
                await().atMost(PATIENCE).until(next::isLeader);
            }
        }
    }
}
