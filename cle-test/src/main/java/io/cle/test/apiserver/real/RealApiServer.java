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
 * A real kube-apiserver with its etcd, on free ports of the loopback interface, with our CRDs applied; everything is
 * allowed to its user. Its data stand in a temporary directory that goes with it.
 *
 * <p>Test classes share one per JVM, by {@link #shared()} or {@link #sharedNative()}, under {@link EnabledIfRealApiServer}
 * or {@link EnabledIfNativeApiServer}; it ends with the JVM, even when that is killed. A test that starts its own by
 * {@link #start()} closes it. Thread-safe.
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

    /** The server with native coordinated leader election of this JVM, from {@code CLE_NATIVE_ASSETS}. */
    public static RealApiServer sharedNative() {
        return shared(Assets.NATIVE);
    }

    private static RealApiServer shared(Assets assets) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(assets, RealApiServer::new);
        }
    }

    /** A server of one's own, from {@code KUBEBUILDER_ASSETS}, to be stopped and started at will. */
    public static RealApiServer start() {
        return new RealApiServer(Assets.PLAIN);
    }

    /** A server of one's own with native coordinated leader election, from {@code CLE_NATIVE_ASSETS}. */
    public static RealApiServer startNative() {
        return new RealApiServer(Assets.NATIVE);
    }

    /**
     * As {@link #start()}, with an audit log: one line of JSON (an {@code audit.k8s.io/v1} Event) for the begin and one for the end of
     * each response to any client.
     *
     * @param log the file to write to
     */
    public static RealApiServer startAudited(Path log) {
        return new RealApiServer(Assets.PLAIN, log);
    }

    /** As {@link #startAudited(Path)}, with native coordinated leader election, from {@code CLE_NATIVE_ASSETS}. */
    public static RealApiServer startNativeAudited(Path log) {
        return new RealApiServer(Assets.NATIVE, log);
    }

    /** Where the server is: {@code https://127.0.0.1:<port>}; the same for its whole life. */
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

    /** Its API as it is on the wire. */
    public HttpApi api() {
        return apiServer.api();
    }

    /** Trusts its certificate. */
    public SSLContext sslContext() {
        return home.credentials().sslContext();
    }

    /** Ends kube-apiserver, without ending etcd: connections break, and new ones are refused. */
    public synchronized void stopApiServer() {
        apiServer.stop();
    }

    /** Starts kube-apiserver again and waits until it's ready. */
    public void startApiServer() {
        startApiServer(flags);
    }

    /** As {@link #startApiServer()}, but as a cluster without native coordinated leader election, whatever the program could do. */
    public void startApiServerWithoutNative() {
        startApiServer(List.of());
    }

    private synchronized void startApiServer(List<String> furtherFlags) {
        apiServer.start(furtherFlags);
        home.credentials().writeKubeconfig(kubeconfig(), url());
    }

    /** Ends etcd as by a loss of power, without ending kube-apiserver: requests fail. */
    public synchronized void stopEtcd() {
        etcd.stop();
    }

    /** Starts etcd again, with its data, and waits until it's ready. */
    public synchronized void startEtcd() {
        etcd.start(List.of(etcd));
        etcd.awaitReady();
    }

    /**
     * Makes a backup of etcd's data, for which etcd is stopped for a moment.
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
     * Restores etcd from a backup as {@code etcdutl snapshot restore} does without {@code --bump-revision}: resourceVersions run backwards.
     * kube-apiserver is stopped before, and started anew afterwards.
     */
    public synchronized void restoreEtcd(Path backup) {
        stopApiServer();
        stopEtcd();
        Home.remove(etcd.data());
        Home.copy(backup, etcd.data());
        startEtcd();
        startApiServer();
    }

    /** Makes etcd forget its history up to now, as a real cluster's does every five minutes. */
    public void compact() {
        Readiness.compact(etcd.api());
    }

    /** Ends both and removes their data. Does nothing the second time. */
    @Override
    public synchronized void close() {
        // No request that is under way is waited for.
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
