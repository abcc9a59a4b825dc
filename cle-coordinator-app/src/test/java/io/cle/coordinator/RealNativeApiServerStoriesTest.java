package io.cle.coordinator;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** The stories on a real API server, in the native format, with a strategy that is left to our coordinator. */
@EnabledIfNativeApiServer
class RealNativeApiServerStoriesTest extends CanaryStories {

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.of(RealApiServer.sharedNative().kubeconfig());
    }

    @Override
    ApiFormat format() {
        return ApiFormat.NATIVE;
    }

    @Override
    String oldest() {
        return "coordination.cle.io/OldestCompatibilityVersion";
    }
}
