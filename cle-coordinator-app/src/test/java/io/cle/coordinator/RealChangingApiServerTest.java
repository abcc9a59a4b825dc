package io.cle.coordinator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** kube-apiserver, started again with its feature gate and its API group on or off. */
@EnabledIfNativeApiServer
class RealChangingApiServerTest extends ChangingApiServerScenarios {

    private final RealApiServer server = RealApiServer.startNative();

    @Override
    KubernetesAccess start(boolean servesNative) {
        if (!servesNative) {
            goAway();
            comeBack(false);
        }
        return KubernetesAccess.of(server.kubeconfig());
    }

    @Override
    void goAway() {
        server.stopApiServer();
    }

    @Override
    void comeBack(boolean servesNative) {
        if (servesNative) {
            server.startApiServer();
        } else {
            server.startApiServerWithoutNative();
        }
    }

    @Override
    void stop() {
        server.close();
    }
}
