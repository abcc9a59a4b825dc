package io.cle.test.interop;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the embedded API server. */
class EmbeddedClientJavaElectorTest extends ClientJavaElectorContract {

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
    String url() {
        return server.url();
    }
}
