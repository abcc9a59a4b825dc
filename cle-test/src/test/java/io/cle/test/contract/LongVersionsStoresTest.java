package io.cle.test.contract;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All stores on an API server whose resourceVersions grow to 19 digits, like those of storages that count in nanoseconds. */
class LongVersionsStoresTest extends StoreContracts {

    private static EmbeddedApiServer server;

    @BeforeAll
    static void start() {
        server = EmbeddedApiServer.builder()
                .namespacesOnDemand(false)
                .resourceVersionsFrom("999999999999999980")
                .start();
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
