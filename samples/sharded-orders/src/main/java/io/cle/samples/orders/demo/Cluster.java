package io.cle.samples.orders.demo;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.cle.Timings;
import io.cle.samples.narration.StoryFailedException;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.LoopbackPorts;
import io.cle.test.apiserver.real.RealApiServer;

/** An API server, and a coordinator process started from its jar. */
final class Cluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(100);

    private static final String CANDIDATES = "/apis/coordination.cle.io/v1alpha1/namespaces/default/leasecandidates/";

    private final String description;
    private final Path kubeconfig;
    private final HttpApi api;
    private final AutoCloseable apiServer;
    private final JavaProgram coordinator;
    private final String page;

    private Cluster(
            String description,
            Path kubeconfig,
            HttpApi api,
            AutoCloseable apiServer,
            Path jar,
            Timings timings,
            Path logs) {
        this.description = description;
        this.kubeconfig = kubeconfig;
        this.api = api;
        this.apiServer = apiServer;
        int port = LoopbackPorts.free();
        this.page = "http://127.0.0.1:" + port;
        this.coordinator = JavaProgram.start(
                List.of(
                        "-jar",
                        jar.toString(),
                        "--server.port=" + port,
                        "--cle.coordinator.lease-duration="
                                + timings.leaseDuration().toMillis() + "ms"),
                Map.of("KUBECONFIG", kubeconfig.toString()),
                logs.resolve("coordinator.log"));
    }

    /** Starts an API server and a coordinator. The API server is a real one if {@code KUBEBUILDER_ASSETS} is set, otherwise in memory. */
    static Cluster start(Path coordinator, Timings timings, Path logs) {
        if (System.getenv("KUBEBUILDER_ASSETS") != null) {
            RealApiServer real = RealApiServer.start();
            return new Cluster(
                    "kube-apiserver at " + real.uri(), real.kubeconfig(), real.api(), real, coordinator, timings, logs);
        }
        EmbeddedApiServer inMemory = EmbeddedApiServer.start();
        return new Cluster(
                "an API server in memory at " + inMemory.url(),
                inMemory.writeKubeconfig(logs.resolve("kubeconfig")),
                new HttpApi(inMemory.uri()),
                inMemory,
                coordinator,
                timings,
                logs);
    }

    /**
     * Waits until the coordinator is ready.
     *
     * @throws StoryFailedException if it isn't ready within a minute
     */
    void awaitReady() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!ready()) {
            if (System.nanoTime() - deadline > 0 || !coordinator.running()) {
                throw new StoryFailedException("the coordinator isn't ready; see its log");
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    private boolean ready() {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create(page + "/actuator/health/readiness").toURL().openConnection();
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            // The coordinator doesn't listen yet.
            return false;
        }
    }

    /** Returns whether a candidate has announced itself. */
    boolean hasCandidate(String name) {
        return api.get(CANDIDATES + name).code() == HttpURLConnection.HTTP_OK;
    }

    /** Returns the kind and address of the API server. */
    String description() {
        return description;
    }

    /** Returns the kubeconfig for the API server. */
    Path kubeconfig() {
        return kubeconfig;
    }

    /** Returns the URL of the coordinator's page. */
    String page() {
        return page;
    }

    @Override
    public void close() {
        coordinator.close();
        try {
            apiServer.close();
        } catch (Exception e) {
            throw new IllegalStateException("the API server could not be ended", e);
        }
    }
}
