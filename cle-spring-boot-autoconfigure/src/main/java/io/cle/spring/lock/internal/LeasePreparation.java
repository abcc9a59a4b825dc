package io.cle.spring.lock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What is done for a lease before its lock joins the election for the first time. */
@FunctionalInterface
public interface LeasePreparation {

    /** Nothing is to be done. */
    LeasePreparation NONE = lease -> CompletableFuture.completedFuture(null);

    /**
     * Prepares a lease. Its lock joins when this has completed, well or not.
     *
     * @param lease what the lease is called in this application
     */
    CompletionStage<Void> prepare(String lease);
}
