package io.cle.test.direct;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;

/** On a real API server. */
@EnabledIfRealApiServer
class RealApiServerDirectLocksTest extends DirectLocksContract {

    @Override
    Server server() {
        return Server.real();
    }
}
