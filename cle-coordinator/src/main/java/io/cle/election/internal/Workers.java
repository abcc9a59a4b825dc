package io.cle.election.internal;

import io.cle.model.ObjectKey;

/**
 * The workers that reconcile leases: they call {@link Coordinator#reconcile} once for each lease, on any thread. Thread-safe.
 *
 * <p>In the jar these are the workers of client-java's controller. {@link #DIRECT} is for processes without one.
 */
@FunctionalInterface
public interface Workers {

    /** Reconciles each lease on the event loop, after the tasks already queued. */
    Workers DIRECT = (lease, coordinator) -> coordinator.reconcile(lease);

    /**
     * Takes a lease. The coordinator doesn't give it again before its reconciliation has begun.
     *
     * @param lease the lease
     * @param coordinator reconciles it later; called on the event loop, so this must not block
     */
    void take(ObjectKey lease, Coordinator coordinator);

    /**
     * Returns the maximum number of leases with the workers at once. The others wait in {@link LeaseQueue}, so that decisions are based on the
     * latest observation.
     */
    default int count() {
        return 32;
    }
}
