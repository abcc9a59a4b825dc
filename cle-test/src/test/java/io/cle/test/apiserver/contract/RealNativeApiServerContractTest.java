package io.cle.test.apiserver.contract;

import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** A real kube-apiserver with its own coordinated leader election enabled. */
@EnabledIfNativeApiServer
class RealNativeApiServerContractTest extends ApiServerContract {

    private static HttpApi api;

    @BeforeAll
    static void start() {
        api = RealApiServer.sharedNative().api();
    }

    @Override
    public HttpApi api() {
        return api;
    }

    @Nested
    class Native extends NativeContract {

        Native() {
            super(RealNativeApiServerContractTest.this);
        }
    }
}
