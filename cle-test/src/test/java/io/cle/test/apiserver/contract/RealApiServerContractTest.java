package io.cle.test.apiserver.contract;

import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** A real kube-apiserver, which validates the contract of the embedded one. */
@EnabledIfRealApiServer
class RealApiServerContractTest extends ApiServerContract {

    private static HttpApi api;

    @BeforeAll
    static void start() {
        api = RealApiServer.shared().api();
    }

    @Override
    public HttpApi api() {
        return api;
    }

    @Nested
    class WithoutNative extends WithoutNativeContract {

        WithoutNative() {
            super(RealApiServerContractTest.this);
        }
    }
}
