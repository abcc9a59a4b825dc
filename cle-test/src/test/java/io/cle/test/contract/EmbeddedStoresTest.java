package io.cle.test.contract;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All stores on the embedded API server. */
class EmbeddedStoresTest extends StoreContracts {

    private static EmbeddedApiServer server;

    @BeforeAll
    static void start() {
        server = EmbeddedApiServer.builder().namespacesOnDemand(false).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected ApiUnderTest server() {
        return new ApiUnderTest(OkHttpTransport.to(KubernetesAccess.at(server.url())));
    }
}
