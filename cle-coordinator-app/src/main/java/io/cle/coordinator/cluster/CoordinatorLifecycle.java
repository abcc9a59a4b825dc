package io.cle.coordinator.cluster;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.api.ApiFormat;
import io.cle.api.CoordinatorApi;
import io.cle.coordinator.control.Coordination;
import io.cle.coordinator.informer.CoordinatorInformers;
import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.kubernetes.AccessRights;
import io.cle.kubernetes.FormatSelection;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.cle.runtime.CoordinatedLeaseLock;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.DefaultController;
import io.kubernetes.client.extended.controller.reconciler.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The order in which a coordinator starts and stops. It starts by asking for the format; with it the informers can run; when they
 * have seen everything, this replica stands for election. None of that is waited for: an API server that is away holds up no
 * start. It stops by handing over first, and last of all beans to start it is the first to stop.
 */
public final class CoordinatorLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorLifecycle.class);

    private final KubernetesAccess access;
    private final CoordinatorSettings settings;
    private final FormatSelection formats;
    private final RightsCheck rights;
    private final CoordinatorApis apis;
    private final CoordinatorInformers informers;
    private final Coordination coordination;
    private final DefaultController controller;
    private final CoordinatedLeaseLock replica;
    private final AtomicBoolean running = new AtomicBoolean();

    /** Makes the {@link CoordinatorApi} of a format. */
    @FunctionalInterface
    public interface CoordinatorApis {

        /** All that a coordinator needs, in a format. */
        CoordinatorApi in(ApiFormat format);
    }

    /** A lifecycle of all these, none of which has been started. */
    public CoordinatorLifecycle(
            KubernetesAccess access,
            CoordinatorSettings settings,
            FormatSelection formats,
            RightsCheck rights,
            CoordinatorApis apis,
            CoordinatorInformers informers,
            Coordination coordination,
            Controller controller,
            CoordinatedLeaseLock replica) {
        this.access = access;
        this.settings = settings;
        this.formats = formats;
        this.rights = rights;
        this.apis = apis;
        this.informers = informers;
        this.coordination = coordination;
        this.controller = (DefaultController) controller;
        this.replica = replica;
    }

    @Override
    public void start() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        log.info(
                "Coordinates {} at {}, by strategies {}; its replicas race for the lease {}, this one as {}",
                settings.namespaces().isEmpty() ? "all namespaces" : "the namespaces " + settings.namespaces(),
                access.describe(),
                settings.election().strategies().names(),
                settings.replica().lease(),
                settings.replica().identity());
        Thread workers = new Thread(controller, "lease-coordination");
        workers.setDaemon(true);
        workers.start();
        coordination.synced().thenRun(this::stand);
        formats.find().thenAccept(this::begin);
        formats.follow(this::goOver);
    }

    private void begin(ApiFormat format) {
        log.info("Coordinates in the {} format: {}", format.name().toLowerCase(Locale.ROOT), formats.reason());
        connect(format);
        if (running.get()) {
            informers.start();
        }
    }

    /** The API server has changed. What is known is known in the old format, and forgotten; this replica keeps its place. */
    private void goOver(ApiFormat format) {
        connect(format);
        informers.relist();
    }

    private void connect(ApiFormat format) {
        rights.begin(AccessRights.ofCoordinator(
                format, settings.namespaces(), settings.replica().lease()));
        coordination.connect(apis.in(format), this::enqueue);
    }

    private void enqueue(ObjectKey lease) {
        controller.getWorkQueue().add(new Request(lease.namespace(), lease.name()));
    }

    private void stand() {
        if (running.get()) {
            log.info("Everything there is has been seen; this replica stands for election");
            replica.start();
        }
    }

    @Override
    public void stop() {
        if (running.compareAndSet(true, false)) {
            replica.close();
            informers.stop();
            controller.shutdown();
        }
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }
}
