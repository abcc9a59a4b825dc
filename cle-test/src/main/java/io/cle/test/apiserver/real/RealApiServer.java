package io.cle.test.apiserver.real;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

import com.google.gson.JsonElement;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.contract.HttpApi;
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

    private final Path programs;
    private final List<String> flags;
    private final Path home;
    private final int etcdPort = LoopbackPorts.free();
    private final int etcdPeerPort = LoopbackPorts.free();
    private final int port = LoopbackPorts.free();
    private final Credentials credentials;
    private int backups;
    private @Nullable GuardedProcess etcd;
    private @Nullable GuardedProcess apiServer;

    private RealApiServer(Assets assets) {
        this(assets, null);
    }

    private RealApiServer(Assets assets, @Nullable Path auditLog) {
        programs = assets.directory()
                .orElseThrow(() -> new IllegalStateException(assets.variable()
                        + " is not set: it must name the directory that holds kube-apiserver and etcd"));
        home = temporaryDirectory();
        flags = new ArrayList<>(assets.flags());
        if (auditLog != null) {
            flags.add("--audit-policy-file=" + writeAuditPolicy(home));
            flags.add("--audit-log-path=" + auditLog);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "real-api-server-end"));
        credentials = Credentials.create(home);
        startEtcd();
        startApiServer();
        new CustomResources(api()).apply(CustomResourceDefinitions.all());
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
        return URI.create("https://127.0.0.1:" + port);
    }

    /** {@link #uri()} as text. */
    public String url() {
        return uri().toString();
    }

    /** A kubeconfig for it, for {@code KUBECONFIG} or {@code kubectl --kubeconfig}. */
    public Path kubeconfig() {
        return home.resolve("kubeconfig");
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
        return new HttpApi(uri(), sslContext(), Credentials.TOKEN);
    }

    /** Trusts its certificate. */
    public SSLContext sslContext() {
        return credentials.sslContext();
    }

    /** Ends kube-apiserver, without ending etcd: connections break, and new ones are refused. */
    public synchronized void stopApiServer() {
        if (apiServer != null) {
            apiServer.kill();
            apiServer = null;
        }
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
        if (apiServer != null) {
            return;
        }
        List<String> command =
                apiServerCommand(programs, home, credentials, "http://127.0.0.1:" + etcdPort, port, furtherFlags);
        apiServer = GuardedProcess.start("kube-apiserver", command, home);
        Path certificate = home.resolve("certs").resolve("apiserver.crt");
        apiServer.awaitReady(() -> Files.exists(certificate)
                && credentials.trust(certificate)
                && Readiness.answers(uri().resolve("/readyz"), sslContext(), Credentials.TOKEN));
        credentials.writeKubeconfig(kubeconfig(), url());
    }

    static List<String> apiServerCommand(
            Path programs,
            Path home,
            Credentials credentials,
            String etcdServers,
            int port,
            List<String> furtherFlags) {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("kube-apiserver").toString(),
                "--etcd-servers=" + etcdServers,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                // The address is invalid in an Endpoints object, and none is needed.
                "--endpoint-reconciler-type=none",
                "--secure-port=" + port,
                "--cert-dir=" + home.resolve("certs"),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + credentials.serviceAccountKey(),
                "--service-account-signing-key-file=" + credentials.serviceAccountKey(),
                "--token-auth-file=" + credentials.tokens(),
                "--authorization-mode=RBAC",
                // Pods can be created before their service account exists.
                "--disable-admission-plugins=ServiceAccount"));
        command.addAll(furtherFlags);
        return command;
    }

    /** Ends etcd as by a loss of power, without ending kube-apiserver: requests fail. */
    public synchronized void stopEtcd() {
        if (etcd != null) {
            etcd.kill();
            etcd = null;
        }
    }

    /** Starts etcd again, with its data, and waits until it's ready. */
    public synchronized void startEtcd() {
        if (etcd != null) {
            return;
        }
        String client = "http://127.0.0.1:" + etcdPort;
        String peer = "http://127.0.0.1:" + etcdPeerPort;
        List<String> command = List.of(
                programs.resolve("etcd").toString(),
                "--data-dir=" + home.resolve("etcd"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--unsafe-no-fsync");
        etcd = GuardedProcess.start("etcd", command, home);
        etcd.awaitReady(() -> Readiness.answers(URI.create(client + "/health"), null, null));
    }

    /**
     * Makes a backup of etcd's data, for which etcd is stopped for a moment.
     *
     * @return a directory, which is removed with the server
     */
    public synchronized Path backUpEtcd() {
        stopEtcd();
        Path backup = home.resolve("backup-" + backups++);
        copy(home.resolve("etcd"), backup);
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
        Path data = home.resolve("etcd");
        remove(data);
        copy(backup, data);
        startEtcd();
        startApiServer();
    }

    static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy " + from, e);
        }
    }

    /** Makes etcd forget its history up to now, as a real cluster's does every five minutes. */
    public void compact() {
        Readiness.compact(URI.create("http://127.0.0.1:" + etcdPort));
    }

    /** Ends both and removes their data. Does nothing the second time. */
    @Override
    public synchronized void close() {
        // No request that is under way is waited for.
        stopApiServer();
        stopEtcd();
        remove(home);
    }

    /** kube-apiserver's own coordinator is elected some seconds after the server is ready; before that, no coordinator elects. */
    private void awaitCoordinator() {
        HttpApi api = api();
        GuardedProcess process = Objects.requireNonNull(apiServer);
        process.awaitReady(() -> {
            HttpApi.Reply lease = api.get(COORDINATORS_LEASE);
            return lease.code() == 200 && !holder(lease).isEmpty();
        });
    }

    private static String holder(HttpApi.Reply lease) {
        JsonElement holder = lease.spec().get("holderIdentity");
        return holder == null ? "" : holder.getAsString();
    }

    static void remove(Path top) {
        if (!Files.exists(top)) {
            return;
        }
        try {
            Files.walkFileTree(top, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                        throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the data of a test's API server in " + top, e);
        }
    }

    private static Path writeAuditPolicy(Path home) {
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

    static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("cle-api-server-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
