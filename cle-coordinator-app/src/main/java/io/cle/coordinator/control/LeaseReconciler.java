package io.cle.coordinator.control;

import io.cle.model.ObjectKey;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.spring.extended.controller.annotation.KubernetesReconciler;
import io.kubernetes.client.spring.extended.controller.annotation.KubernetesReconcilerWatches;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Hands leases of the work queue to the {@link CoordinatorLoop}, and doesn't wait until they are reconciled: one worker is enough for any number
 * of leases. It watches nothing by itself: the loop observes, and says which lease has to be reconciled and when.
 */
@KubernetesReconciler(value = LeaseReconciler.NAME, workerCount = 1, watches = @KubernetesReconcilerWatches({}))
@SuppressWarnings("deprecation")
public class LeaseReconciler implements Reconciler {

    /** The controller's name, in its threads' names and its meters. */
    static final String NAME = "lease-coordination";

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
        coordinator.reconcile(key).thenRun(() -> sample.stop(timer));
        return new Result(false);
    }
}
