package io.cle.spring;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** On a real API server. */
@EnabledIfRealApiServer
class OnRealApiServerTests extends OnApiServerContracts {

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.of(RealApiServer.shared().kubeconfig());
    }
}
