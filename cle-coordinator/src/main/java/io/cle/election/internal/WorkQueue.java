package io.cle.election.internal;

import io.cle.model.ObjectKey;

/**
 * Takes the leases that have to be reconciled, and calls {@link CoordinatorLoop#reconcile} once for each, on whatever thread. Thread-safe.
 *
 * <p>In the jar it is client-java's work queue. {@link #DIRECT} is for processes without one; what comes before and after is the same.
 */
@FunctionalInterface
public interface WorkQueue {

    /** A queue that keeps nothing: it hands each lease back at once, and the event loop reconciles it after what it has to do before. */
    WorkQueue DIRECT = (lease, coordinator) -> coordinator.reconcile(lease);

    /**
     * Takes a lease. The loop doesn't add one again before its reconciliation has begun.
     *
     * @param lease the lease
     * @param coordinator reconciles it later; called on the event loop, so this must not block
     */
    void add(ObjectKey lease, CoordinatorLoop coordinator);

    /**
     * How many leases the loop may have handed out at once, those whose reconciliation is under way among them. The others wait in the
     * loop, in order and each once, so that what is decided of them is decided on the latest that was seen. Their requests would only wait for
     * each other.
     */
    default int capacity() {
        return 32;
    }
}
