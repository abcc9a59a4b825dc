package io.cle.coordinator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;

class EmbeddedApiServerCoordinatorTest extends CoordinatorScenarios {

    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().namespacesOnDemand(false).start();

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.at(server.url());
    }

    @Override
    void stopServer() {
        server.close();
    }
}
