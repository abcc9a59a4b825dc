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
}
