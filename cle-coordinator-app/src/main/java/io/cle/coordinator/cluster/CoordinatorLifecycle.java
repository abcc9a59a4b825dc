package io.cle.coordinator.cluster;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.kubernetes.client.extended.controller.Controller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the coordinator. The start doesn't wait for the API server: the loop begins to observe when the wire format is known,
 * and the replica joins the election when the loop has listed everything. This bean starts last and stops first, so that everything needed
 * to release the lease is still running.
 */
public final class CoordinatorLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorLifecycle.class);

    /** The coordinator's name in Events, as defined by KEP-4355. */
    private static final String COMPONENT = "coordinated-election-controller";

    private final KubernetesAccess access;
    private final CoordinatorSettings settings;
    private final FormatChoice formats;
    private final ObjectClient client;
    private final Coordinator coordinator;
    private final CoordinatorReplica replica;
    private final Controller controller;
    private final AtomicBoolean running = new AtomicBoolean();

    /** Creates the lifecycle of the given parts, none of which has been started. */
    public CoordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorSettings settings,
            FormatChoice formats,
            ObjectClient client,
            Coordinator coordinator,
            CoordinatorReplica replica,
            Controller controller) {
        this.access = access;
        this.settings = settings;
        this.formats = formats;
        this.client = client;
        this.coordinator = coordinator;
        this.replica = replica;
        this.controller = controller;
    }

    @Override
    public void start() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        log.info(
                "Coordinates {} at {}, by strategies {}; its replicas race for the lease {}, this one as {}",
                settings.namespaces().isEmpty()
                        ? "all namespaces"
                        : "the namespaces " + new TreeSet<>(settings.namespaces()),
                access.describe(),
                settings.election().strategies().names(),
                settings.replica().lease(),
                settings.replica().identity());
        Thread workers = new Thread(controller, "lease-coordination");
        workers.setDaemon(true);
        workers.start();
        replica.start();
        formats.use(
                kind -> kind.ifPresent(this::observe),
                problem -> log.debug("The wire format is not known yet: {}", problem));
    }

    /** Begins to observe. If the API server no longer serves the observed kind, everything is forgotten and listed again. */
    private void observe(ResourceType kind) {
        coordinator.use(new CoordinatorClient(client, kind, settings.namespaces(), COMPONENT));
    }

    @Override
    public void stop() {
        if (running.compareAndSet(true, false)) {
            replica.close();
            controller.shutdown();
        }
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }
}
