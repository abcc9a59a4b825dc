package io.cle.spring.lock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.OwnedLock;
import io.cle.spring.properties.internal.LeaseSettings;

/** Makes the lock of a lease. A bean of one's own replaces the one for Kubernetes and for standalone. */
@FunctionalInterface
public interface LeaseLockFactory {

    /** A lock that isn't a candidate yet. Must not talk to an API server; that is for {@code start()}. */
    OwnedLock create(LeaseSettings settings);

    /**
     * Deletes the Lease object of a stopped lock unless another process holds it.
     *
     * @return whether the object is gone; fails with a reason for a person
     */
    default CompletionStage<Boolean> delete(LeaseSettings settings) {
        return CompletableFuture.completedStage(true);
    }
}
