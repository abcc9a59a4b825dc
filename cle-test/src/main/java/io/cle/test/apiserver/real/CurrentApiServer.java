package io.cle.test.apiserver.real;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.LoopbackPorts;

/**
 * The custom resource server of a current kube-apiserver, with etcd, on free loopback ports and with our CRDs
 * applied; from {@code CLE_CURRENT_APISERVER}. It has no users and no other kinds of objects. {@link #close()}
 * removes its temporary data directory. Thread-safe.
 */
public final class CurrentApiServer implements AutoCloseable {

    private final Home home = Home.of(Assets.PARTS);
    private final int port = LoopbackPorts.free();
    private final EtcdMember etcd;
    private final GuardedProcess server;

    private CurrentApiServer() {
        int peer = LoopbackPorts.free();
        etcd = new EtcdMember(home, "etcd", peer, peer);
        etcd.start(List.of(etcd));
        etcd.awaitReady();
        Path certificates = home.resolve("certs");
        server = GuardedProcess.start(
                "current-apiserver",
                List.of(
                        program().toString(),
                        "crds",
                        "--etcd-servers=" + etcd.uri(),
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--cert-dir=" + certificates),
                home.directory());
        server.awaitReady(() -> home.credentials().trust(certificates.resolve("apiserver.crt"))
                && Readiness.answers(api(), "/healthz"));
        new CustomResourceSetup(api()).apply(CustomResourceDefinitions.all());
    }

    /** Starts one, and waits until it serves our custom resources. */
    public static CurrentApiServer start() {
        return new CurrentApiServer();
    }

    /**
     * Returns the program, which also compiles and reviews admission policies; see {@code .ci/current-apiserver.go}.
     *
     * @throws IllegalStateException if {@code CLE_CURRENT_APISERVER} isn't set
     */
    public static Path program() {
        return Assets.PARTS
                .directory()
                .orElseThrow(() -> new IllegalStateException(Assets.PARTS.variable() + " is not set"))
                .resolve(Assets.PARTS.server());
    }

    /** Returns its raw HTTP API. */
    public HttpApi api() {
        return new HttpApi(
                URI.create("https://127.0.0.1:" + port), home.credentials().sslContext(), Credentials.TOKEN);
    }

    /** Ends both processes and removes their data. */
    @Override
    public void close() {
        server.kill();
        etcd.stop();
        home.remove();
    }
}
