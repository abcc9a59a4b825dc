package io.cle.test.contract;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;

/** All stores on a real API server. */
@EnabledIfRealApiServer
class RealApiServerStoresTest extends StoreContracts {

    @Override
    protected ApiUnderTest server() {
        return new ApiUnderTest(
                OkHttpTransport.to(KubernetesAccess.of(RealApiServer.shared().kubeconfig())));
    }
}
