package io.cle.coordinator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;

@EnabledIfRealApiServer
class RealApiServerCoordinatorTest extends CoordinatorScenarios {

    @Override
    KubernetesAccess access() {
        return KubernetesAccess.of(RealApiServer.shared().kubeconfig());
    }
}
