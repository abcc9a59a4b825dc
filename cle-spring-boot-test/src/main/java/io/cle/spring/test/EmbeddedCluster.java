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
 * A cluster within the test's process: an API server on a free port of the loopback interface and a coordinator. Closing it ends both. It
 * is {@linkplain #start() started} by a test, or by JUnit for the tests of a class:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final EmbeddedCluster cluster = new EmbeddedCluster();
 * }</pre>
 *
 * <p>An application connects to it by {@code cle.kubernetes.base-url}, or automatically with {@link AutoConfigureEmbeddedCluster}.
 */
public final class EmbeddedCluster implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

    /** A candidate within the same process answers at once; one that was stopped must not be waited for. */
    private static final ElectionPolicy QUICK =
            new ElectionPolicy(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ZERO);

    private volatile @Nullable Running running;
    /** The test classes that it runs for; guarded by this. JUnit calls the extension of a class for each of its nested classes, too. */
    private int classes;

    private record Running(EmbeddedApiServer apiServer, EmbeddedCoordinator coordinator) {}

    /** Creates a cluster that isn't started, for {@code @RegisterExtension}. */
    public EmbeddedCluster() {}

    /** Starts a cluster, which the caller has to close. */
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

    /** Returns the API server, to inspect, stop and restart it. */
    public EmbeddedApiServer apiServer() {
        Running current = running;
        if (current == null) {
            throw new IllegalStateException("the embedded cluster does not run");
        }
        return current.apiServer();
    }

    /** Writes a kubeconfig of the cluster, for {@code kubectl} or {@code cle.kubernetes.kubeconfig}. */
    public Path writeKubeconfig(Path file) {
        return apiServer().writeKubeconfig(file);
    }

    /** Stops the coordinator and the API server, in this order. */
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
