package io.cle.test.apiserver.contract;

import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.HttpApi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The embedded server with its defaults. */
class EmbeddedApiServerContractTest extends ApiServerContract {

    private static EmbeddedApiServer server;
    private static HttpApi api;

    @BeforeAll
    static void start() {
        server = EmbeddedApiServer.builder().namespacesOnDemand(false).start();
        api = new HttpApi(server.uri());
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Override
    public HttpApi api() {
        return api;
    }

    @Nested
    class WithoutNative extends WithoutNativeContract {

        WithoutNative() {
            super(EmbeddedApiServerContractTest.this);
        }
    }
}
