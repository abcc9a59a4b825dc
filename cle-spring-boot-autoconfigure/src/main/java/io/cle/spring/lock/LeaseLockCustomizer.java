package io.cle.spring.lock;

import io.cle.runtime.CoordinatedLeaseLock;

/**
 * Gets hold of every lock before it stands for election for the first time, to add listeners that must not miss anything. Beans of
 * it are called in their order.
 */
@FunctionalInterface
public interface LeaseLockCustomizer {

    /**
     * Does something to a lock.
     *
     * @param name what the lease is called in this application
     */
    void customize(String name, CoordinatedLeaseLock lock);
}
