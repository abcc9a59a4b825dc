package io.cle.spring.lock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.OwnedLock;
import io.cle.spring.properties.internal.LeaseSettings;

/** Creates the lock of a lease. An application's own bean replaces the one for Kubernetes and for standalone processes. */
@FunctionalInterface
public interface LeaseLockFactory {

    /** Creates a lock that isn't a candidate yet. Sends no request: {@code start()} does. */
    OwnedLock create(LeaseSettings settings);

    /**
     * Deletes the Lease object of a stopped lock unless another process holds it.
     *
     * @return whether the object was deleted; fails with a reason that people can read
     */
    default CompletionStage<Boolean> delete(LeaseSettings settings) {
        return CompletableFuture.completedStage(true);
    }
}
