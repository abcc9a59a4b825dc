package io.cle.spring;

import java.time.Duration;

import io.cle.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import org.junit.jupiter.api.AfterEach;

/** Tests of applications on a separate API server with a coordinator. */
abstract class OnCoordinatedServer {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final ElectionPolicy QUICK = new ElectionPolicy(Duration.ofMillis(500), Duration.ofSeconds(2));

    final EmbeddedApiServer server = EmbeddedApiServer.start();
    final Applications applications = new Applications(KubernetesAccess.at(server.url()));

    private final EmbeddedCoordinator coordinator =
            EmbeddedCoordinator.start(server.url(), ApiFormat.CRD, QUICK, Duration.ofSeconds(1));

    @AfterEach
    void stop() {
        applications.close();
        coordinator.close();
        server.close();
    }
}
