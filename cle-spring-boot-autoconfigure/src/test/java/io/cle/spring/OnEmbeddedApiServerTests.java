package io.cle.spring;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the embedded API server. */
class OnEmbeddedApiServerTests extends OnApiServerContracts {

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
    KubernetesAccess access() {
        return KubernetesAccess.at(server.url());
    }
}
