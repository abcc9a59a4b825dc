package io.cle.test.programmatic;

import io.cle.test.apiserver.EmbeddedApiServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;

/** Over HTTP/1.1, where each watch has its own connection. */
class EmbeddedSilentConnectionsTest extends SilentConnectionsContract {

    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @Override
    ApiClient client() {
        return new ClientBuilder().setBasePath(server.url()).build();
    }

    @AfterEach
    void stop() {
        server.close();
    }
}
