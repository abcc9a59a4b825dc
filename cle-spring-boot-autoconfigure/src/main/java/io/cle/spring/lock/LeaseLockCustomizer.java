package io.cle.spring.lock;

import io.cle.CoordinatedLeaseLock;

/**
 * Customizes every lock before it joins an election for the first time, for example to add listeners that must not miss a term. Beans of
 * this type are called in their order.
 */
@FunctionalInterface
public interface LeaseLockCustomizer {

    /**
     * Customizes a lock.
     *
     * @param name the name of the lease in this application
     */
    void customize(String name, CoordinatedLeaseLock lock);

    /**
     * Customizes the lock of a lease that is created at run time; by default in the same way.
     *
     * @param lease what it was created from
     */
    default void customize(NewLease lease, CoordinatedLeaseLock lock) {
        customize(lease.name(), lock);
    }

    /**
     * Called when a lease that was created at run time has been dropped and its last term has ended. Does nothing by default.
     *
     * @param name the name of the lease in this application
     */
    default void dropped(String name) {}
}
