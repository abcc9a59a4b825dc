package io.cle.test.coordinator;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.election.internal.Workers;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LockThreads;
import io.cle.strategy.internal.Strategies;

/**
 * A coordinator for a process that also runs the API server. As the only replica, it coordinates all namespaces from its start. Thread-safe.
 */
public final class EmbeddedCoordinator implements AutoCloseable {

    private final KubernetesTransport transport;
    private final LockThreads threads = LockThreads.create("coordinator");
    private final Coordinator loop;

    private EmbeddedCoordinator(String apiServer, ApiFormat format, ElectionPolicy policy, Duration requestTimeout) {
        transport = OkHttpTransport.to(KubernetesAccess.at(apiServer));
        ObjectClient client = new ObjectClient(transport, threads.loop(), new SplittableRandom(), requestTimeout);
        loop = new Coordinator(
                new CoordinatorConfig(Strategies.builtIn(), Map.of(), policy, NamespaceRule.OWN_NAMESPACE_ONLY),
                threads.loop(),
                new SplittableRandom(),
                Workers.DIRECT,
                reason -> {},
                () -> {});
        loop.use(new CoordinatorClient(
                client, ResourceType.candidates(format), Set.of(), "coordinated-election-controller"));
        loop.coordinate();
    }

    /**
     * Starts one for the crd format with the defaults.
     *
     * @param apiServer the address of an API server without authentication
     */
    public static EmbeddedCoordinator start(String apiServer) {
        return start(apiServer, ApiFormat.CRD, ElectionPolicy.DEFAULT, Timings.DEFAULT.requestTimeout());
    }

    /**
     * Starts one.
     *
     * @param apiServer the address of an API server without authentication
     * @param format the wire format of the candidates
     * @param policy the rules of elections
     * @param requestTimeout how long a request may take
     */
    public static EmbeddedCoordinator start(
            String apiServer, ApiFormat format, ElectionPolicy policy, Duration requestTimeout) {
        return new EmbeddedCoordinator(apiServer, format, policy, requestTimeout);
    }

    /** Returns the coordinator itself. */
    public Coordinator loop() {
        return loop;
    }

    /** Stops the coordinator. Leaders keep leading. */
    @Override
    public void close() {
        loop.close();
        threads.close();
        transport.close();
    }
}
