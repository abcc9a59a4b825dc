package io.cle.test.direct;

import java.nio.file.Path;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** On a real API server. */
@EnabledIfRealApiServer
class RealApiServerAdministratorsLineTest extends AdministratorsLineContract {

    @Override
    Server server() {
        return Server.real();
    }

    @Override
    Path kubeconfig() {
        return RealApiServer.shared().kubeconfig();
    }
}
