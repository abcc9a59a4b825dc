package io.cle.coordinator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;

class EmbeddedChangingApiServerTest extends ChangingApiServerScenarios {

    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @Override
    KubernetesAccess start(boolean servesNative) {
        server.serveNative(servesNative);
        return KubernetesAccess.at(server.url());
    }

    @Override
    void restart(boolean servesNative) {
        server.serveNative(servesNative);
        server.restart();
    }

    @Override
    void stop() {
        server.close();
    }
}
