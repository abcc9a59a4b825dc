package io.cle.test.direct;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;

/** On the embedded API server. */
class EmbeddedDirectLocksTest extends DirectLocksContract {

    @AutoClose
    private static final EmbeddedApiServer SERVER = EmbeddedApiServer.start();

    @Override
    Server server() {
        return Server.of(SERVER);
    }
}
