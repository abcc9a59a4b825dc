package io.cle.coordinator.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.cle.api.ApiFormat;
import io.cle.api.CoordinatorApi;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.access.AccessRight;
import io.cle.kubernetes.internal.access.AccessRights;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.cle.runtime.internal.coordinator.CoordinatorReplica;
import io.kubernetes.client.extended.controller.Controller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the coordinator. The start waits for nothing, so that an API server that is away doesn't delay it: the loop is given an
 * API when the wire format is known, and the replica joins the election when the loop has seen everything. This bean starts last and stops
 * first, so that the lease is released while all that this needs still runs.
 */
public final class CoordinatorLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorLifecycle.class);

    private final KubernetesAccess access;
    private final CoordinatorSettings settings;
    private final FormatSelection formats;
    private final RightsCheck rights;
    private final LeaderServices leaderServices;
    private final Function<ApiFormat, CoordinatorApi> apis;
    private final CoordinatorLoop coordinator;
    private final CoordinatorReplica replica;
    private final Controller controller;
    private final AtomicBoolean running = new AtomicBoolean();

    /** A lifecycle of all these, none of which has been started. */
    public CoordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorSettings settings,
            FormatSelection formats,
            RightsCheck rights,
            LeaderServices leaderServices,
            Function<ApiFormat, CoordinatorApi> apis,
            CoordinatorLoop coordinator,
            CoordinatorReplica replica,
            Controller controller) {
        this.access = access;
        this.settings = settings;
        this.formats = formats;
        this.rights = rights;
        this.leaderServices = leaderServices;
        this.apis = apis;
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
        formats.follow(this::use);
        formats.find().thenAccept(format -> {
            // A format that was found is logged where it was.
            if (settings.format().isPresent()) {
                log.info("Coordinates in the {} format: {}", format.name().toLowerCase(Locale.ROOT), formats.reason());
            }
            use(format);
        });
    }

    private void use(ApiFormat format) {
        List<AccessRight> needed = new ArrayList<>(AccessRights.ofCoordinator(
                format, settings.namespaces(), settings.replica().lease()));
        needed.addAll(leaderServices.rightsIn(settings.namespaces()));
        rights.begin(needed);
        coordinator.use(apis.apply(format));
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
