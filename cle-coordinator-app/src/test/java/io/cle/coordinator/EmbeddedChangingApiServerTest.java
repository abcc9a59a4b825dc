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
    void goAway() {
        server.stop();
    }

    @Override
    void comeBack(boolean servesNative) {
        server.serveNative(servesNative);
        server.resume();
    }

    @Override
    void stop() {
        server.close();
    }
}
