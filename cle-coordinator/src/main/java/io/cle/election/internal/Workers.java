package io.cle.election.internal;

import io.cle.model.ObjectKey;

/**
 * What reconciles leases: calls {@link Coordinator#reconcile} once for each that it is given, on whatever thread. Thread-safe.
 *
 * <p>In the jar these are the workers of client-java's controller. {@link #DIRECT} is for processes without one; what comes before and after is the same.
 */
@FunctionalInterface
public interface Workers {

    /** Hands each lease back at once, and the event loop reconciles it after what it has to do before. */
    Workers DIRECT = (lease, coordinator) -> coordinator.reconcile(lease);

    /**
     * Takes a lease. The coordinator doesn't give it again before its reconciliation has begun.
     *
     * @param lease the lease
     * @param coordinator reconciles it later; called on the event loop, so this must not block
     */
    void take(ObjectKey lease, Coordinator coordinator);

    /**
     * How many leases they may have at once, those whose reconciliation is under way among them. The others wait in {@link LeaseQueue},
     * so that what is decided of them is decided on the latest that was seen. Their requests would only wait for each other.
     */
    default int count() {
        return 32;
    }
}
