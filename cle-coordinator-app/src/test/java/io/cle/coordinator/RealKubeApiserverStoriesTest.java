package io.cle.coordinator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** The stories under a real kube-apiserver's own coordinator. */
@EnabledIfNativeApiServer
class RealKubeApiserverStoriesTest extends KubeApiserverStories {

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.of(RealApiServer.sharedNative().kubeconfig());
    }
}
