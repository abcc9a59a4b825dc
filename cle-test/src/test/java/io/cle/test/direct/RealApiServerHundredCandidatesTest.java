package io.cle.test.direct;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;

/** On a real API server. */
@EnabledIfRealApiServer
class RealApiServerHundredCandidatesTest extends HundredCandidatesContract {

    @Override
    Server server() {
        return Server.real();
    }
}
