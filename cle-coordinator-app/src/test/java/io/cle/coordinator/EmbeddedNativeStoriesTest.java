package io.cle.coordinator;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;

/** The stories on the embedded API server, in the native format, with a strategy that is left to our coordinator. */
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
