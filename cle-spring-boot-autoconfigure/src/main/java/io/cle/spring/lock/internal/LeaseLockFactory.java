package io.cle.spring.lock.internal;

import io.cle.OwnedLock;
import io.cle.spring.properties.internal.LeaseSettings;

/** Creates the lock of a lease. An application's own bean replaces the one for Kubernetes and for standalone processes. */
@FunctionalInterface
public interface LeaseLockFactory {

    /** Creates a lock that isn't a candidate yet. Sends no request: {@code start()} does. */
    OwnedLock create(LeaseSettings settings);
}
