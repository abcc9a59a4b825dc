package io.cle.api;

import io.cle.model.ObjectKey;

/**
 * An administrator's strategy for a lease, in an object of its own (coordinator's rule 7).
 *
 * @param key where the object stands
 * @param targetLease the lease it speaks of
 * @param strategy the strategy it asks for
 */
public record LeaseConfiguration(ObjectKey key, ObjectKey targetLease, String strategy) {}
