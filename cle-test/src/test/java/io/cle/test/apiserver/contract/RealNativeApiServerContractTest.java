package io.cle.test.apiserver.contract;

import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.BeforeAll;

/** A real kube-apiserver with its own coordinated leader election switched on. */
@EnabledIfNativeApiServer
class RealNativeApiServerContractTest extends ApiServerContract implements NativeContract {

    private static HttpApi api;

    @BeforeAll
    static void start() {
        api = RealApiServer.sharedNative().api();
    }

    @Override
    public HttpApi api() {
        return api;
    }
}
