package io.cle.samples.upgrade;

import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.ElectionPolicy;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.PageServer;

/** What a cluster has: an API server, here one in memory, and a coordinator with its page. */
final class Cluster implements AutoCloseable {

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

    @Override
    public void close() {
        page.close();
        coordinator.close();
        apiServer.close();
    }
}
