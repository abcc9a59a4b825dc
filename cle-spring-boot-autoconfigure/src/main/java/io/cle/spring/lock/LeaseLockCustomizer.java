package io.cle.spring.lock;

import io.cle.CoordinatedLeaseLock;

/**
 * Gets hold of every lock before it joins an election for the first time, to add listeners that must not miss anything. Beans of this type
 * are called in their order.
 */
@FunctionalInterface
public interface LeaseLockCustomizer {

    /**
     * Does something to a lock.
     *
     * @param name what the lease is called in this application
     */
    void customize(String name, CoordinatedLeaseLock lock);

    /**
     * Does something to the lock of a lease that is created at run time; by default the same.
     *
     * @param lease what it was created from
     */
    default void customize(NewLease lease, CoordinatedLeaseLock lock) {
        customize(lease.name(), lock);
    }

    /**
     * A lease that was created at run time is gone. Its last term has ended; by default nothing is done.
     *
     * @param name what the lease was called in this application
     */
    default void dropped(String name) {}
}
