package io.cle.coordinator;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** The stories on a real API server, in the crd format. */
@EnabledIfRealApiServer
class RealApiServerStoriesTest extends CanaryStories {

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.of(RealApiServer.shared().kubeconfig());
    }

    @Override
    ApiFormat format() {
        return ApiFormat.CRD;
    }

    @Override
    String oldest() {
        return "OldestCompatibilityVersion";
    }
}
