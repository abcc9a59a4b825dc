package io.cle.coordinator.informer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How the observation of one kind of objects goes.
 *
 * @param kind the kind, as {@code leases.coordination.k8s.io}
 * @param synced whether all there are have been seen
 * @param since since when the API server has been answering, or hasn't
 * @param problem why it can't be observed at the moment; {@code null} when it can
 * @param absence why there are none, where the API server doesn't serve the kind and needn't; {@code null} where it does
 */
public record Contact(
        String kind,
        boolean synced,
        Instant since,
        @Nullable String problem,
        @Nullable String absence) {

    /** Whether all there are have been seen, and changes are being watched. */
    public boolean ok() {
        return synced && problem == null;
    }
}
