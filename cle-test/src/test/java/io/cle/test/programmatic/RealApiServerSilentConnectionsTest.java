package io.cle.test.programmatic;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import io.kubernetes.client.openapi.ApiClient;

/** Over HTTP/2, where requests and watches share a connection. */
@EnabledIfRealApiServer
class RealApiServerSilentConnectionsTest extends SilentConnectionsContract {

    @Override
    ApiClient client() {
        return RealApiServer.shared().newApiClient();
    }
}
