package io.cle.test.direct;

import java.util.function.Supplier;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.real.RealApiServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * The API server of a test, with access for both kinds of electors and for the test itself.
 *
 * @param client creates a client for client-java's elector
 * @param transport creates a transport for one of our electors
 * @param api reads the electors' records
 */
record Server(Supplier<ApiClient> client, Supplier<KubernetesTransport> transport, HttpApi api) {

    /** Returns the access to an embedded API server. */
    static Server of(EmbeddedApiServer server) {
        return new Server(
                () -> new ClientBuilder().setBasePath(server.url()).build(),
                () -> OkHttpTransport.to(KubernetesAccess.at(server.url())),
                new HttpApi(server.uri()));
    }

    /** Returns the access to the real API server, which all tests of this JVM share. */
    static Server real() {
        RealApiServer server = RealApiServer.shared();
        return new Server(
                server::newApiClient, () -> OkHttpTransport.to(KubernetesAccess.of(server.kubeconfig())), server.api());
    }
}
