package io.cle.test.apiserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.InMemoryApiServer;
import io.cle.test.apiserver.memory.NativeApi;
import io.cle.test.apiserver.memory.RequestCounts;
import io.cle.test.apiserver.memory.ServerResponse;
import io.cle.test.apiserver.store.ObjectStore;

/**
 * An in-memory API server over HTTP on the loopback interface, without authentication. It starts in milliseconds and
 * ends with {@link #close()}. It serves Leases, the LeaseCandidates and LeaseConfigurations of
 * {@code coordination.cle.io}, and the other kinds that leader election uses; {@code kubectl} works with it. Deletions
 * ignore finalizers; deleting collections and JSON patches (RFC 6902) are unsupported.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
 *     // cle.kubernetes.base-url=<server.url()>, or KUBECONFIG=<server.writeKubeconfig(file)>
 * }
 * }</pre>
 *
 * <p>Tests can also compact it, drop watches, restart it, deny permissions and stop serving the native API. Thread-safe.
 */
public final class EmbeddedApiServer implements AutoCloseable {

    private final InMemoryApiServer server;
    private HttpFront front;

    private EmbeddedApiServer(InMemoryApiServer server, int port) {
        this.server = server;
        this.front = HttpFront.start(server, port);
    }

    /** Starts a server with the defaults: a free port, our CRDs, namespaces created on demand. */
    public static EmbeddedApiServer start() {
        return builder().start();
    }

    /** Returns a builder for a server with other settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns {@code http://127.0.0.1:<port>}, which a {@link #restart()} doesn't change. */
    public String url() {
        return uri().toString();
    }

    /** {@link #url()} as a URI. */
    public synchronized URI uri() {
        return front.uri();
    }

    /**
     * Writes a kubeconfig for this server, for {@code KUBECONFIG} or {@code kubectl --kubeconfig}.
     *
     * @return the file
     */
    public Path writeKubeconfig(Path file) {
        try {
            return Files.writeString(file, Kubeconfig.withoutAuthentication(url()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the kubeconfig " + file, e);
        }
    }

    /** Answers a request directly, without HTTP. */
    public ServerResponse handle(ApiServerRequest request) {
        synchronized (server) {
            return server.handle(request);
        }
    }

    /** Discards the history: new watches from before now fail with 410; open ones continue. */
    public void compact() {
        control(InMemoryApiServer::compact);
    }

    /** Ends all open watches, as a server does at a timeout. */
    public void dropWatches() {
        control(InMemoryApiServer::dropWatches);
    }

    /** Compacts, and ends all open watches with an {@code ERROR} of 410. */
    public void expireWatches() {
        control(InMemoryApiServer::expireWatches);
    }

    /**
     * Starts or stops serving {@code coordination.k8s.io/v1beta1} LeaseCandidates, and {@code spec.strategy} and
     * {@code spec.preferredHolder} of Leases. Objects are kept; watches on those candidates end.
     */
    public void serveNative(boolean served) {
        serveNative(served ? NativeApi.SERVED : NativeApi.NOT_SERVED);
    }

    /** Like {@link #serveNative(boolean)}, with the state in between. */
    public void serveNative(NativeApi offered) {
        control(inMemory -> inMemory.serveNative(offered));
    }

    /**
     * Serves Kubernetes' own LeaseCandidates in these versions of {@code coordination.k8s.io}, such as
     * {@code v1alpha2}, and in no other. They have the same objects; watches in a version that is no longer served end.
     */
    public void serveNativeVersions(String... versions) {
        control(inMemory -> inMemory.serveNative(NativeApi.SERVED, List.of(versions)));
    }

    /**
     * Denies a permission: matching requests fail with 403 until {@link #allowAll()}.
     *
     * @param verb one of Kubernetes' verbs, or {@code *}
     * @param resource the plural, with or without the group ({@code leases.coordination.k8s.io}), or {@code *}
     * @param namespace the namespace, or {@code *}
     */
    public void deny(String verb, String resource, String namespace) {
        control(inMemory -> inMemory.deny(verb, resource, namespace));
    }

    /** Restores all permissions. */
    public void allowAll() {
        control(InMemoryApiServer::allowAll);
    }

    /** The requests for objects so far. */
    public RequestCounts requests() {
        synchronized (server) {
            return server.requests();
        }
    }

    /** Closes all connections and restarts at the same address, with all objects and their history. */
    public void restart() {
        stop();
        resume();
    }

    /** Closes all connections and refuses new ones until {@link #resume()}. Objects are kept. */
    public synchronized void stop() {
        control(InMemoryApiServer::dropWatches);
        front.stop();
    }

    /** Restarts after {@link #stop()}, at the same address. */
    public synchronized void resume() {
        front = HttpFront.start(server, front.uri().getPort());
    }

    /** Ends the server for good. */
    @Override
    public void close() {
        stop();
    }

    private void control(Consumer<InMemoryApiServer> change) {
        synchronized (server) {
            change.accept(server);
        }
    }

    /** Settings of a server. Not thread-safe. */
    public static final class Builder {

        private int port;
        private boolean namespacesOnDemand = true;
        private NativeApi nativeApi = NativeApi.NOT_SERVED;
        private List<JsonObject> definitions = CustomResourceDefinitions.all();
        private Clock clock = Clock.systemUTC();
        private BigInteger versionBefore = BigInteger.valueOf(ObjectStore.FIRST_RESOURCE_VERSION);

        private Builder() {}

        /** The port to listen on; 0, as by default, for a free one. */
        public Builder port(int number) {
            port = number;
            return this;
        }

        /** Whether creating an object creates its namespace, too (by default), or fails with 404 as with a real server. */
        public Builder namespacesOnDemand(boolean onDemand) {
            namespacesOnDemand = onDemand;
            return this;
        }

        /** Whether {@code coordination.k8s.io/v1beta1} is served from the start; not by default. */
        public Builder serveNative(boolean served) {
            nativeApi = served ? NativeApi.SERVED : NativeApi.NOT_SERVED;
            return this;
        }

        /** Leaves our CRDs out, as in a cluster where they are not installed. */
        public Builder withoutCustomResourceDefinitions() {
            definitions = List.of();
            return this;
        }

        /** The wall clock, for timestamps and ages; the system's by default. */
        public Builder clock(Clock wallClock) {
            clock = wallClock;
            return this;
        }

        /**
         * Sets the initial resourceVersion, 1000 by default. Large providers' storages use 19 digits, such as {@code 1763596440927791001}.
         *
         * @param version a decimal number of any length
         */
        public Builder resourceVersionsFrom(String version) {
            versionBefore = new BigInteger(version);
            return this;
        }

        /** Starts it. */
        public EmbeddedApiServer start() {
            InMemoryApiServer server = new InMemoryApiServer(
                    clock::instant, () -> UUID.randomUUID().toString(), namespacesOnDemand, versionBefore);
            definitions.forEach(server::define);
            server.serveNative(nativeApi);
            return new EmbeddedApiServer(server, port == 0 ? LoopbackPorts.free() : port);
        }
    }
}
