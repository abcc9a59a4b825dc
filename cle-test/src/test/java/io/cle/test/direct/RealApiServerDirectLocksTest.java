package io.cle.test.direct;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** On a real API server. */
@EnabledIfRealApiServer
class RealApiServerDirectLocksTest extends DirectLocksContract {

    @Override
    Server server() {
        RealApiServer server = RealApiServer.shared();
        return new Server(
                server::newApiClient,
                () -> KubernetesAccess.of(server.kubeconfig()).transport(),
                server.api());
    }
}
