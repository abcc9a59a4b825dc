package io.cle.test.contract;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Nested;

/** All stores on a real API server with native coordinated leader election. */
@EnabledIfNativeApiServer
class RealNativeApiServerStoresTest {

    static ApiUnderTest newApi() {
        return new ApiUnderTest(OkHttpTransport.to(
                KubernetesAccess.of(RealApiServer.sharedNative().kubeconfig())));
    }

    /** Stores that any API server can serve. */
    @Nested
    class Common extends StoreContracts {
        @Override
        protected ApiUnderTest server() {
            return newApi();
        }
    }

    /** Stores that only this server can serve. */
    @Nested
    class Native extends NativeStoreContracts {
        @Override
        protected ApiUnderTest server() {
            return newApi();
        }
    }
}
