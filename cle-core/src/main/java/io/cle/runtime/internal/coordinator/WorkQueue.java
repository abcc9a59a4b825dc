package io.cle.runtime.internal.coordinator;

import io.cle.model.ObjectKey;

/**
 * Takes the leases that have to be reconciled, and calls {@link CoordinatorLoop#reconcile} once for each, on whatever thread. Thread-safe.
 */
@FunctionalInterface
public interface WorkQueue {

    /**
     * Takes a lease. The loop doesn't add one again before its reconciliation has begun.
     *
     * @param lease the lease; called on the event loop, so this must not block
     */
    void add(ObjectKey lease);

    /**
     * How many leases the loop may have handed out at once, those whose reconciliation is under way among them. The others wait in the
     * loop, where none of them is lost: client-java's queue drops what exceeds its room without a word.
     */
    default int capacity() {
        return 500;
    }
}
