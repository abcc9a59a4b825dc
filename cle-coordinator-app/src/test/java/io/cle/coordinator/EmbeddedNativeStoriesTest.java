package io.cle.coordinator;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The stories on the embedded API server, in the native format, with a strategy that is left to our coordinator. */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "EmbeddedStoriesTest tells the same stories; CI=true ./mvnw verify runs it")
class EmbeddedNativeStoriesTest extends CanaryStories {

    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().serveNative(true).start();

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.at(server.url());
    }

    @Override
    ApiFormat format() {
        return ApiFormat.NATIVE;
    }

    @Override
    String oldest() {
        return "coordination.cle.io/OldestCompatibilityVersion";
    }

    @Override
    void stopServer() {
        server.close();
    }
}
