package io.cle.test.direct;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** On a real API server, with {@code -Pthorough}: each build counts the requests on the embedded one. */
@EnabledIfRealApiServer
@EnabledIfSystemProperty(
        named = "cle.thorough",
        matches = "true",
        disabledReason = "the embedded server counts the same requests; -Pthorough runs it")
class RealApiServerHundredCandidatesTest extends HundredCandidatesContract {

    @Override
    Server server() {
        return Server.real();
    }
}
