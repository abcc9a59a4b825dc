package io.cle.coordinator;

import java.security.SecureRandom;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.election.internal.Workers;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.ProcessIdentity;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import io.kubernetes.client.extended.controller.Controller;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.stereotype.Component;

/**
 * Creates, starts and stops the coordinator and its replica's lock. The start doesn't wait for the API server: the loop begins to observe
 * when the wire format is known, and the replica joins the election when the loop has listed everything. This bean starts last and stops
 * first, so that everything needed to release the lease is still running. Health, meters and the page read its parts.
 */
@Component
final class CoordinatorLifecycle implements SmartLifecycle, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorLifecycle.class);

    /** The coordinator's name in Events, as defined by KEP-4355. */
    private static final String COMPONENT = "coordinated-election-controller";

    /**
     * The maximum number of concurrent requests about leases and candidates, each of which occupies a thread. At 10 ms per request this is
     * 800 requests per second, more than the limit of client-go's controllers.
     */
    private static final int REQUESTS_AT_ONCE = 8;

    final CoordinatorConfig election;
    final LockConfig replicaConfig;
    final FormatChoice formats;
    final OwnedLock replicaLock;
    final Coordinator coordinator;
    final CoordinatorReplica replica;

    /**
     * One event loop observes, decides, and renews the replicas' lease, so that a replica whose loop hangs loses that lease
     * (protocol.md#requests-and-limits).
     */
    final LockThreads threads;

    private final KubernetesAccess access;
    private final Set<String> namespaces;
    private final ObjectProvider<Controller> controller;
    private final OkHttpTransport replicaTransport;
    private final OkHttpTransport transport;
    private final ObjectClient client;
    private volatile boolean running;

    CoordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorProperties properties,
            ConfigurableEnvironment environment,
            Workers workers,
            ObjectProvider<Controller> controller,
            MeterRegistry meters) {
        this.access = access;
        this.namespaces = properties.namespaces();
        this.controller = controller;
        RandomGenerator random = new SecureRandom();
        election = properties.election(environment, strategies());
        replicaConfig = properties.replicaLock(access.namespace(), ProcessIdentity.create(null, random));
        threads = LockThreads.create("cle-coordinator");
        // Separate, so that renewals aren't delayed however many leases are coordinated.
        replicaTransport = OkHttpTransport.to(access);
        transport = replicaTransport.limitedTo(REQUESTS_AT_ONCE);
        client = new ObjectClient(transport, threads.loop(), random, Timings.DEFAULT.requestTimeout());
        formats = FormatChoice.ofCoordinator(
                new FormatDiscovery(transport, replicaConfig.lease().namespace(), Timings.DEFAULT.requestTimeout()),
                properties.api().pinned(),
                threads.loop(),
                random);
        ObjectClient ofReplica = new ObjectClient(
                replicaTransport,
                threads.loop(),
                random,
                replicaConfig.timings().requestTimeout());
        replicaLock = new LeaseLock(
                replicaConfig,
                new LockStores(LeaseClient.of(ofReplica, ResourceLock.LEASES, null), null).always(),
                Entropy.system(),
                threads);
        coordinator = new Coordinator(
                election,
                threads.loop(),
                random,
                workers,
                // The identity is a tag, so that a replica that is scraped twice isn't counted twice.
                reason -> Counter.builder("cle.coordinator.decisions")
                        .description("What was done about leases, by the reason of the Event that says so")
                        .tags("identity", replicaConfig.identity(), "reason", reason)
                        .register(meters)
                        .increment(),
                formats::doubt);
        replica = new CoordinatorReplica(coordinator, replicaLock, threads.loop());
    }

    private static Strategies strategies() {
        try {
            return Strategies.onPathOf(Thread.currentThread().getContextClassLoader());
        } catch (IllegalArgumentException | ServiceConfigurationError e) {
            throw new InvalidConfigurationException(
                    "META-INF/services/" + ElectionStrategy.class.getName(),
                    "on the class path",
                    "can't be used: " + e.getMessage(),
                    "Fix the jar with the election strategy, or remove it from the class path (loader.path).");
        }
    }

    @Override
    public void start() {
        log.info(
                "Starting the coordinator for {} at {}: strategies {}, lease of its replicas {}, this replica {}",
                namespaces.isEmpty() ? "all namespaces" : "the namespaces " + new TreeSet<>(namespaces),
                access.describe(),
                election.strategies().names(),
                replicaConfig.lease(),
                replicaConfig.identity());
        running = true;
        Thread workers = new Thread(controller.getObject(), "lease-coordination");
        workers.setDaemon(true);
        workers.start();
        replica.start();
        // If the API server no longer serves the observed kind, everything is forgotten and listed again.
        formats.use(
                kind -> kind.ifPresent(it -> coordinator.use(new CoordinatorClient(client, it, namespaces, COMPONENT))),
                problem -> log.debug("The wire format is not known yet: {}", problem));
    }

    @Override
    public void stop() {
        running = false;
        replica.close();
        controller.getObject().shutdown();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Ends the threads and connections. */
    @Override
    public void close() {
        threads.close();
        transport.close();
        replicaTransport.close();
    }
}
