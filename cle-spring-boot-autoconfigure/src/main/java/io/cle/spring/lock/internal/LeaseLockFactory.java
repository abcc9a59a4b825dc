package io.cle.spring.lock.internal;

import io.cle.OwnedLock;
import io.cle.spring.properties.internal.LeaseSettings;

/** Makes the lock of a lease. A bean of one's own replaces the one for Kubernetes and for standalone. */
@FunctionalInterface
public interface LeaseLockFactory {

    /** A lock that isn't a candidate yet. Must not talk to an API server; that is for {@code start()}. */
    OwnedLock create(LeaseSettings settings);
}
