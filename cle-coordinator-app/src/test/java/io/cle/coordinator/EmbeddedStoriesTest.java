package io.cle.coordinator;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;

/** The stories on the embedded API server, in the crd format, with resourceVersions as long as those of storages that count in nanoseconds. */
class EmbeddedStoriesTest extends CanaryStories {

    private final EmbeddedApiServer server = EmbeddedApiServer.builder()
            .resourceVersionsFrom("1763596440927791001")
            .start();

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.at(server.url());
    }

    @Override
    ApiFormat format() {
        return ApiFormat.CRD;
    }

    @Override
    String oldest() {
        return "OldestCompatibilityVersion";
    }

    @Override
    void stopServer() {
        server.close();
    }
}
