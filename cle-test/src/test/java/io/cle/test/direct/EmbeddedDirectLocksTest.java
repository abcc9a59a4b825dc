package io.cle.test.direct;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.contract.HttpApi;
import io.kubernetes.client.util.ClientBuilder;
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
        return new Server(
                () -> new ClientBuilder().setBasePath(server.url()).build(),
                () -> KubernetesAccess.at(server.url()).transport(),
                new HttpApi(server.uri()));
    }
}
