package io.cle.spring.test;

import java.nio.file.Path;
import java.time.Duration;

import io.cle.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster within the test's process: an API server on a free port of the loopback interface, and a coordinator. Its data is lost when it
 * is closed. Either {@linkplain #start() start} it yourself, or let JUnit start it for the tests of a class:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final EmbeddedCluster cluster = new EmbeddedCluster();
 * }</pre>
 *
 * <p>An application connects to it with {@code cle.kubernetes.base-url}, or automatically with {@link AutoConfigureEmbeddedCluster}.
 */
public final class EmbeddedCluster implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

    /** Short timings: candidates in the same process acknowledge at once, and the coordinator should not wait for stopped ones. */
    private static final ElectionPolicy QUICK = new ElectionPolicy(Duration.ofMillis(500), Duration.ofSeconds(2));

    private volatile @Nullable Running running;
    /** The number of test classes that use it; guarded by this. JUnit also calls the extension of a class for each of its nested classes. */
    private int classes;

    private record Running(EmbeddedApiServer apiServer, EmbeddedCoordinator coordinator) {}

    /** Creates a cluster that isn't started, for {@code @RegisterExtension}. */
    public EmbeddedCluster() {}

    /** Starts a cluster, to be closed by the caller. */
    public static EmbeddedCluster start() {
        EmbeddedCluster cluster = new EmbeddedCluster();
        cluster.run();
        return cluster;
    }

    private void run() {
        EmbeddedApiServer apiServer = EmbeddedApiServer.start();
        EmbeddedCoordinator coordinator =
                EmbeddedCoordinator.start(apiServer.url(), ApiFormat.CRD, QUICK, Duration.ofSeconds(1));
        running = new Running(apiServer, coordinator);
    }

    @Override
    public synchronized void beforeAll(ExtensionContext context) {
        classes++;
        if (running == null) {
            run();
        }
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) {
        classes--;
        if (classes == 0) {
            close();
        }
    }

    /** Returns the API server's address, for {@code cle.kubernetes.base-url}. */
    public String url() {
        return apiServer().url();
    }

    /** Returns the API server, which can be inspected, stopped and restarted. */
    public EmbeddedApiServer apiServer() {
        Running current = running;
        if (current == null) {
            throw new IllegalStateException("the embedded cluster is not running");
        }
        return current.apiServer();
    }

    /** Writes a kubeconfig for it, for {@code kubectl} or {@code cle.kubernetes.kubeconfig}. */
    public Path writeKubeconfig(Path file) {
        return apiServer().writeKubeconfig(file);
    }

    /** Stops the coordinator, then the API server. */
    @Override
    public void close() {
        Running current = running;
        if (current == null) {
            return;
        }
        running = null;
        current.coordinator().close();
        current.apiServer().close();
    }
}
