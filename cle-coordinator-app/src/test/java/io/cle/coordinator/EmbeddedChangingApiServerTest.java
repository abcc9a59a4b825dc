package io.cle.coordinator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "takes half a minute; CI=true ./mvnw verify runs it")
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
