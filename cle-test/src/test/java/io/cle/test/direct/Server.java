package io.cle.test.direct;

import java.util.function.Supplier;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.contract.HttpApi;
import io.cle.test.apiserver.real.RealApiServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * The API server of a test, for all who stand there.
 *
 * @param client makes a client for client-java's elector
 * @param transport makes the door for ours
 * @param api reads what they have written
 */
record Server(Supplier<ApiClient> client, Supplier<KubernetesTransport> transport, HttpApi api) {

    /** An embedded one. */
    static Server of(EmbeddedApiServer server) {
        return new Server(
                () -> new ClientBuilder().setBasePath(server.url()).build(),
                () -> KubernetesAccess.at(server.url()).transport(),
                new HttpApi(server.uri()));
    }

    /** The real one of this JVM. */
    static Server real() {
        RealApiServer server = RealApiServer.shared();
        return new Server(
                server::newApiClient,
                () -> KubernetesAccess.of(server.kubeconfig()).transport(),
                server.api());
    }
}
