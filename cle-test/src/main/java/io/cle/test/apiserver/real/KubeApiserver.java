package io.cle.test.apiserver.real;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.LoopbackPorts;
import org.jspecify.annotations.Nullable;

/** A kube-apiserver. Guarded by its control plane. */
final class KubeApiserver {

    private final Home home;
    private final String name;
    private final int port = LoopbackPorts.free();
    private final URI etcd;
    private @Nullable GuardedProcess process;

    /**
     * A server that isn't started yet.
     *
     * @param etcd the address of etcd
     */
    KubeApiserver(Home home, String name, URI etcd) {
        this.home = home;
        this.name = name;
        this.etcd = etcd;
    }

    URI uri() {
        return URI.create("https://127.0.0.1:" + port);
    }

    HttpApi api() {
        return new HttpApi(uri(), home.credentials().sslContext(), Credentials.TOKEN);
    }

    boolean running() {
        return process != null && process.running();
    }

    /**
     * Starts it if it doesn't run, and waits until it's ready and the namespace {@code default} exists,
     * which it creates only after it reports ready.
     */
    void start(List<String> furtherFlags) {
        if (running()) {
            return;
        }
        Credentials credentials = home.credentials();
        Path certificates = home.resolve("certs");
        List<String> command = new ArrayList<>(List.of(
                home.programs().resolve("kube-apiserver").toString(),
                "--etcd-servers=" + etcd,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                // The address is invalid in an Endpoints object, and none is needed.
                "--endpoint-reconciler-type=none",
                "--secure-port=" + port,
                "--cert-dir=" + certificates,
                "--service-cluster-ip-range=10.0.0.0/24",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + credentials.serviceAccountKey(),
                "--service-account-signing-key-file=" + credentials.serviceAccountKey(),
                "--token-auth-file=" + credentials.tokens(),
                "--authorization-mode=RBAC",
                // Pods can be created before their service account exists.
                "--disable-admission-plugins=ServiceAccount"));
        command.addAll(furtherFlags);
        process = GuardedProcess.start(name, command, home.directory());
        awaitReady(() -> credentials.trust(certificates.resolve("apiserver.crt"))
                && Readiness.answers(api(), "/readyz")
                && Readiness.answers(api(), "/api/v1/namespaces/default"));
    }

    /** Waits for a condition of the running server. */
    void awaitReady(BooleanSupplier ready) {
        Objects.requireNonNull(process).awaitReady(ready);
    }

    /** Kills it. */
    void stop() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }
}
