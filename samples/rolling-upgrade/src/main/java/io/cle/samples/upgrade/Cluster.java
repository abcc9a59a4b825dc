package io.cle.samples.upgrade;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

import io.cle.api.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.model.Timings;
import io.cle.runtime.internal.coordinator.CoordinatorConfig;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.strategy.Strategies;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.web.LoopSnapshots;
import io.cle.web.PageServer;

/** What a cluster has: an API server, here one in memory, and a coordinator with its page. */
final class Cluster implements AutoCloseable {

    private final EmbeddedApiServer apiServer;
    private final KubernetesTransport transport;
    private final LockThreads threads;
    private final CoordinatorLoop coordinator;
    private final PageServer page;

    private Cluster(EmbeddedApiServer apiServer, Timings timings) {
        this.apiServer = apiServer;
        transport = KubernetesAccess.at(apiServer.url()).transport();
        threads = LockThreads.create("coordinator");
        KubernetesApis apis =
                new KubernetesApis(transport, threads.loop(), new SplittableRandom(), timings.requestTimeout());
        ElectionPolicy policy = new ElectionPolicy(
                ElectionPolicy.DEFAULT.ackTimeout(), timings.leaseDuration(), ElectionPolicy.DEFAULT.stabilization());
        coordinator = new CoordinatorLoop(
                new CoordinatorConfig(Strategies.builtIn(), Map.of(), policy, NamespaceRule.OWN_NAMESPACE_ONLY),
                threads.loop(),
                new SplittableRandom());
        page = PageServer.start(
                0,
                new LoopSnapshots(
                        coordinator, policy, () -> Optional.of("this demo"), () -> Optional.of(ApiFormat.CRD)));
        coordinator.use(apis.coordinator(ApiFormat.CRD, Set.of(), "coordinated-election-controller"));
        coordinator.coordinate();
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
        threads.close();
        transport.close();
        apiServer.close();
    }
}
