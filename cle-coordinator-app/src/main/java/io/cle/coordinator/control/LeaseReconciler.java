package io.cle.coordinator.control;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.model.ObjectKey;
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
 * Reconciles one lease at a time on each of its workers, which wait for the event loop and for the API server. It watches nothing
 * by itself: what the informers tell goes to the {@link Coordination} first, as it is about a candidate more often than about a
 * lease, and that one says which lease has to be reconciled, and when to do so again.
 */
@KubernetesReconciler(
        value = LeaseReconciler.NAME,
        workerCount = LeaseReconciler.WORKERS,
        watches = @KubernetesReconcilerWatches({}))
@SuppressWarnings("deprecation")
public class LeaseReconciler implements Reconciler {

    /** The controller's name, in its threads' names and its meters. */
    static final String NAME = "lease-coordination";

    /** So many elections can wait for the API server at the same time; 349 a second takes an answer within 180 ms. */
    static final int WORKERS = 64;

    /** Above what the requests of a reconciliation can take by their own time-outs. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(LeaseReconciler.class);

    private final Coordination coordination;
    private final Timer timer;

    /** A reconciler for a coordination. */
    public LeaseReconciler(Coordination coordination, MeterRegistry meters) {
        this.coordination = coordination;
        this.timer = Timer.builder("cle.coordinator.reconcile")
                .description("How long a lease's reconciliation takes, requests included")
                .register(meters);
    }

    /** {@inheritDoc} Never asks for a requeue, as the rate limiter of the controller's own queue is not to be used. */
    @Override
    public Result reconcile(Request request) {
        ObjectKey key = new ObjectKey(request.getNamespace(), request.getName());
        Timer.Sample sample = Timer.start();
        try {
            coordination.reconcile(key).toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.error("lease {}: the reconciliation isn't over within {}; it goes on", key, LIMIT, e);
        }
        sample.stop(timer);
        return new Result(false);
    }
}
