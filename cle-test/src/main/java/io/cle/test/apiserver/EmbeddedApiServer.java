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
 * An API server in memory, over HTTP on the loopback interface, without authentication: up in milliseconds, gone with
 * {@link #close()}. It serves Leases, the LeaseCandidates and LeaseConfigurations of {@code coordination.cle.io}, and what
 * else leader election touches; {@code kubectl} works against it. A deletion is carried out at once, whatever finalizers say, and of one object at
 * a time; JSON patches (RFC 6902) are refused.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
 *     // cle.kubernetes.base-url=<server.url()>, or KUBECONFIG=<server.writeKubeconfig(file)>
 * }
 * }</pre>
 *
 * <p>Its controls do what no test can ask of a healthy server: compact, drop watches, restart, deny rights, cease to serve
 * the native API. Thread-safe.
 */
public final class EmbeddedApiServer implements AutoCloseable {

    private final InMemoryApiServer server;
    private HttpFront front;

    private EmbeddedApiServer(InMemoryApiServer server, int port) {
        this.server = server;
        this.front = HttpFront.start(server, port);
    }

    /** Starts a server as most tests want it: on a free port, with our CRDs, with namespaces on demand. */
    public static EmbeddedApiServer start() {
        return builder().start();
    }

    /** Begins the description of a server that is to be special. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where the server is: {@code http://127.0.0.1:<port>}. It stays the same over a {@link #restart()}. */
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

    /** Forgets what has happened: watches from before now are answered with 410. Open ones go on. */
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
     * Begins or ceases to serve {@code coordination.k8s.io/v1beta1} LeaseCandidates, and {@code spec.strategy} and
     * {@code spec.preferredHolder} of Leases. Objects stay; watches on those candidates end.
     */
    public void serveNative(boolean served) {
        serveNative(served ? NativeApi.SERVED : NativeApi.NOT_SERVED);
    }

    /** As {@link #serveNative(boolean)}, with a choice of what is in between. */
    public void serveNative(NativeApi offered) {
        control(inMemory -> inMemory.serveNative(offered));
    }

    /**
     * Serves Kubernetes' own LeaseCandidates in these versions of {@code coordination.k8s.io}, such as {@code v1alpha2}, and in no other.
     * They show the same objects; watches in a version that is served no more end.
     */
    public void serveNativeVersions(String... versions) {
        control(inMemory -> inMemory.serveNative(NativeApi.SERVED, List.of(versions)));
    }

    /**
     * Takes a right away: such requests are answered with 403 until {@link #allowAll()}.
     *
     * @param verb one of Kubernetes' verbs, or {@code *}
     * @param resource the plural, with or without the group ({@code leases.coordination.k8s.io}), or {@code *}
     * @param namespace the namespace, or {@code *}
     */
    public void deny(String verb, String resource, String namespace) {
        control(inMemory -> inMemory.deny(verb, resource, namespace));
    }

    /** Gives all rights back. */
    public void allowAll() {
        control(InMemoryApiServer::allowAll);
    }

    /** The requests for objects so far. */
    public RequestCounts requests() {
        synchronized (server) {
            return server.requests();
        }
    }

    /** Cuts all connections and comes back at once at the same address, with all objects and all that has happened. */
    public void restart() {
        stop();
        resume();
    }

    /** Cuts all connections and takes no new ones until {@link #resume()}. Objects stay. */
    public synchronized void stop() {
        control(InMemoryApiServer::dropWatches);
        front.stop();
    }

    /** Comes back after {@link #stop()}, at the same address. */
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

    /** What is special about a server. Not thread-safe. */
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
         * Where resourceVersions begin; at 1000 by default. Large providers' storages have 19 digits, such as {@code 1763596440927791001}.
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
