package io.cle.samples.upgrade;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.ElectionPolicy;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.PageServer;
import org.jspecify.annotations.Nullable;

/** What a cluster has: an API server, here one in memory, and a coordinator with its page. */
final class Cluster implements AutoCloseable {

    /** The annotation by which an administrator sets a lease's strategy. */
    static final String STRATEGY = "coordination.k8s.io/strategy";

    private final EmbeddedApiServer apiServer;
    private final EmbeddedCoordinator coordinator;
    private final PageServer page;

    private Cluster(EmbeddedApiServer apiServer, Timings timings) {
        this.apiServer = apiServer;
        ElectionPolicy policy = new ElectionPolicy(
                ElectionPolicy.DEFAULT.ackTimeout(), timings.leaseDuration(), ElectionPolicy.DEFAULT.stabilization());
        coordinator = EmbeddedCoordinator.start(apiServer.url(), ApiFormat.CRD, policy, timings.requestTimeout());
        page = PageServer.start(
                0,
                new CoordinatorSnapshots.OfLoop(
                        coordinator.loop(), policy, () -> Optional.of("this demo"), () -> Optional.of(ApiFormat.CRD)));
    }

    /** Starts both. */
    static Cluster start(Timings timings) {
        return new Cluster(EmbeddedApiServer.start(), timings);
    }

    /** Where the API server is. */
    String url() {
        return apiServer.url();
    }

    /** Where the page is that shows who leads. */
    String page() {
        return page.url();
    }

    /**
     * Sets the strategy of the lease, as {@code kubectl annotate} does.
     *
     * @param strategy {@code null} for that of the candidates
     */
    void setStrategy(@Nullable String strategy) throws InterruptedException {
        String value = strategy == null ? "null" : "\"" + strategy + "\"";
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(url() + "/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders"))
                .header("Content-Type", "application/merge-patch+json")
                .method(
                        "PATCH",
                        HttpRequest.BodyPublishers.ofString(
                                "{\"metadata\":{\"annotations\":{\"" + STRATEGY + "\":" + value + "}}}"))
                .build();
        try {
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(answer.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        page.close();
        coordinator.close();
        apiServer.close();
    }
}
