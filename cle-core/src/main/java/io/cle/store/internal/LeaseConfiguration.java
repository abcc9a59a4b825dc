package io.cle.store.internal;

import io.cle.model.ObjectKey;

/**
 * An administrator's strategy for a lease, in an object of its own (safety.md#strategy-precedence).
 *
 * @param key namespace and name of the object
 * @param targetLease the lease it speaks of
 * @param strategy the strategy it asks for
 */
public record LeaseConfiguration(ObjectKey key, ObjectKey targetLease, String strategy) {}
