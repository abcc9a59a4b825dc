package io.cle.coordinator.control;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.model.ObjectKey;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.spring.extended.controller.annotation.KubernetesReconciler;
import io.kubernetes.client.spring.extended.controller.annotation.KubernetesReconcilerWatches;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles one lease at a time on each of its workers, which wait for the event loop and for the API server. It watches nothing by
 * itself: the {@link CoordinatorLoop} observes, and says which lease has to be reconciled and when.
 */
@KubernetesReconciler(
        value = LeaseReconciler.NAME,
        workerCount = LeaseReconciler.WORKERS,
        watches = @KubernetesReconcilerWatches({}))
@SuppressWarnings("deprecation")
public class LeaseReconciler implements Reconciler {

    /** The controller's name, in its threads' names and its meters. */
    static final String NAME = "lease-coordination";

    /** How many elections can wait for the API server at once: 349 a second, if it answers within 180 ms. */
    static final int WORKERS = 64;

    /** Longer than the requests of a reconciliation take by their own timeouts. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(LeaseReconciler.class);

    private final CoordinatorLoop coordinator;
    private final Timer timer;

    /** A reconciler for a coordinator. */
    public LeaseReconciler(CoordinatorLoop coordinator, MeterRegistry meters) {
        this.coordinator = coordinator;
        this.timer = Timer.builder("cle.coordinator.reconcile")
                .description("How long a lease's reconciliation takes, requests included")
                .register(meters);
    }

    /** {@inheritDoc} Never asks for a requeue: the coordinator itself tries again, with a back-off for each lease. */
    @Override
    public Result reconcile(Request request) {
        ObjectKey key = new ObjectKey(request.getNamespace(), request.getName());
        Timer.Sample sample = Timer.start();
        try {
            coordinator.reconcile(key).toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.error(
                    "lease {}: the reconciliation has not ended within {}; it goes on without its worker (API server slow?)",
                    key,
                    LIMIT,
                    e);
        }
        sample.stop(timer);
        return new Result(false);
    }
}
