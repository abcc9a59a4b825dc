package io.cle.test.direct;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the embedded API server. */
class EmbeddedDirectLocksTest extends DirectLocksContract {

    private static EmbeddedApiServer server;

    @BeforeAll
    static void start() {
        server = EmbeddedApiServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    Server server() {
        return Server.of(server);
    }
}
