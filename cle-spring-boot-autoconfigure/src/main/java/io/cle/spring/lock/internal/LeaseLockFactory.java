package io.cle.spring.lock.internal;

import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.OwnedLock;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/** Creates the lock of a lease. An application's own bean replaces the one for Kubernetes and for standalone processes. */
@FunctionalInterface
public interface LeaseLockFactory {

    /** Creates a lock that isn't a candidate yet. Sends no request: {@code start()} does. */
    OwnedLock create(LeaseSettings settings);

    /** Returns the wire format of the candidates of a coordinated lease; empty if they aren't in a cluster. */
    default Optional<ChosenFormat> format(LeaseSettings settings) {
        return Optional.empty();
    }

    /**
     * The wire format of the candidates of a lease.
     *
     * @param format the format; {@code null} until the API server has answered which formats it serves
     * @param reason why this format is used, or why it isn't known, for people to read
     */
    record ChosenFormat(@Nullable ApiFormat format, String reason) {}
}
