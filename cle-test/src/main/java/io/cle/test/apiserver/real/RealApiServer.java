package io.cle.test.apiserver.real;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;

import com.google.gson.JsonElement;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.LoopbackPorts;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;

/**
 * A real kube-apiserver with etcd, on free loopback ports, with our CRDs applied. Its user has all permissions.
 * {@link #close()} removes its temporary data directory.
 *
 * <p>Test classes with {@link EnabledIfRealApiServer} or {@link EnabledIfNativeApiServer} share one per JVM, by
 * {@link #shared()} or {@link #sharedNative()}; it ends with the JVM, even if that is killed. A test that calls
 * {@link #start()} must close the server. Thread-safe.
 */
public final class RealApiServer implements AutoCloseable {

    private static final String COORDINATORS_LEASE =
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller";
    private static final Map<Assets, RealApiServer> SHARED = new EnumMap<>(Assets.class);

    private final Home home;
    private final List<String> flags;
    private final EtcdMember etcd;
    private final KubeApiserver apiServer;
    private int backups;

    private RealApiServer(Assets assets) {
        this(assets, null);
    }

    private RealApiServer(Assets assets, @Nullable Path auditLog) {
        home = Home.of(assets);
        flags = new ArrayList<>(assets.flags());
        if (auditLog != null) {
            flags.add("--audit-policy-file=" + writeAuditPolicy(home));
            flags.add("--audit-log-path=" + auditLog);
        }
        int peer = LoopbackPorts.free();
        etcd = new EtcdMember(home, "etcd", peer, peer);
        apiServer = new KubeApiserver(home, "kube-apiserver", etcd.uri());
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "real-api-server-end"));
        startEtcd();
        startApiServer();
        new CustomResourceSetup(api()).apply(CustomResourceDefinitions.all());
        if (assets == Assets.NATIVE) {
            awaitCoordinator();
        }
    }

    /** The server of this JVM, from {@code KUBEBUILDER_ASSETS}; started by the first call. */
    public static RealApiServer shared() {
        return shared(Assets.PLAIN);
    }

    /** This JVM's server with native coordinated leader election, from {@code CLE_NATIVE_ASSETS}. */
    public static RealApiServer sharedNative() {
        return shared(Assets.NATIVE);
    }

    private static RealApiServer shared(Assets assets) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(assets, RealApiServer::new);
        }
    }

    /** Starts a separate server, from {@code KUBEBUILDER_ASSETS}, that may be restarted. */
    public static RealApiServer start() {
        return new RealApiServer(Assets.PLAIN);
    }

    /** Starts a separate server with native coordinated leader election, from {@code CLE_NATIVE_ASSETS}. */
    public static RealApiServer startNative() {
        return new RealApiServer(Assets.NATIVE);
    }

    /**
     * Like {@link #start()}, with an audit log: one line of JSON (an {@code audit.k8s.io/v1} Event) for the start and
     * one for the end of each response to any client.
     *
     * @param log the file to write to
     */
    public static RealApiServer startAudited(Path log) {
        return new RealApiServer(Assets.PLAIN, log);
    }

    /** Like {@link #startAudited(Path)}, with native coordinated leader election, from {@code CLE_NATIVE_ASSETS}. */
    public static RealApiServer startNativeAudited(Path log) {
        return new RealApiServer(Assets.NATIVE, log);
    }

    /** Returns {@code https://127.0.0.1:<port>}, which never changes. */
    public URI uri() {
        return apiServer.uri();
    }

    /** {@link #uri()} as text. */
    public String url() {
        return uri().toString();
    }

    /** A kubeconfig for it, for {@code KUBECONFIG} or {@code kubectl --kubeconfig}. */
    public Path kubeconfig() {
        return home.kubeconfig();
    }

    /** A new client for it. */
    public ApiClient newApiClient() {
        try {
            return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(Files.readString(kubeconfig()))))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its raw HTTP API. */
    public HttpApi api() {
        return apiServer.api();
    }

    /** Trusts its certificate. */
    public SSLContext sslContext() {
        return home.credentials().sslContext();
    }

    /** Stops kube-apiserver but not etcd: connections break, and new ones are refused. */
    public synchronized void stopApiServer() {
        apiServer.stop();
    }

    /** Starts kube-apiserver again and waits until it's ready. */
    public void startApiServer() {
        startApiServer(flags);
    }

    /** Like {@link #startApiServer()}, but without native coordinated leader election, even if supported. */
    public void startApiServerWithoutNative() {
        startApiServer(List.of());
    }

    private synchronized void startApiServer(List<String> furtherFlags) {
        apiServer.start(furtherFlags);
        home.credentials().writeKubeconfig(kubeconfig(), url());
    }

    /** Kills etcd, as a power failure would, but not kube-apiserver: requests fail. */
    public synchronized void stopEtcd() {
        etcd.stop();
    }

    /** Starts etcd again, with its data, and waits until it's ready. */
    public synchronized void startEtcd() {
        etcd.start(List.of(etcd));
        etcd.awaitReady();
    }

    /**
     * Backs up etcd's data; etcd is stopped meanwhile.
     *
     * @return a directory, which is removed with the server
     */
    public synchronized Path backUpEtcd() {
        stopEtcd();
        Path backup = home.resolve("backup-" + backups++);
        Home.copy(etcd.data(), backup);
        startEtcd();
        return backup;
    }

    /**
     * Restores etcd from a backup as {@code etcdutl snapshot restore} does without {@code --bump-revision}:
     * resourceVersions go backwards. kube-apiserver is stopped first and restarted afterwards.
     */
    public synchronized void restoreEtcd(Path backup) {
        stopApiServer();
        stopEtcd();
        Home.remove(etcd.data());
        Home.copy(backup, etcd.data());
        startEtcd();
        startApiServer();
    }

    /** Compacts etcd's history up to now, as a real cluster does every five minutes. */
    public void compact() {
        Readiness.compact(etcd.api());
    }

    /** Stops both and removes their data. Idempotent. */
    @Override
    public synchronized void close() {
        // Doesn't wait for requests in progress.
        stopApiServer();
        stopEtcd();
        home.remove();
    }

    /** kube-apiserver's own coordinator is elected some seconds after the server is ready; before that, no coordinator elects. */
    private void awaitCoordinator() {
        HttpApi api = api();
        apiServer.awaitReady(() -> {
            HttpApi.Reply lease = api.get(COORDINATORS_LEASE);
            return lease.code() == 200 && !holder(lease).isEmpty();
        });
    }

    private static String holder(HttpApi.Reply lease) {
        JsonElement holder = lease.spec().get("holderIdentity");
        return holder == null ? "" : holder.getAsString();
    }

    private static Path writeAuditPolicy(Home home) {
        try {
            return Files.writeString(home.resolve("audit-policy.yaml"), """
                    apiVersion: audit.k8s.io/v1
                    kind: Policy
                    omitStages: [RequestReceived]
                    rules:
                    - level: Metadata
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
