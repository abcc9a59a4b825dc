package io.cle.store.internal;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;

/** Reads, writes and watches leases in one wire format. Thread-safe; see the package for where results arrive. */
public interface LeaseStore {

    /** Reads a lease from the API server itself, not from a cache; empty when it isn't there. */
    CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key);

    /** Creates a lease; {@link ApiResult.Conflict} when it's there already. Gives the lease as stored. */
    CompletionStage<ApiResult<Lease>> create(Lease lease);

    /**
     * Writes all of a lease's fields by compare and swap on {@link Lease#resourceVersion()}, which must be set;
     * {@link ApiResult.Conflict} when the lease has changed, {@link ApiResult.Gone} when it isn't there. What the model
     * doesn't know of (other annotations, labels, fields of newer versions) stays as it is. Gives the lease as stored.
     */
    CompletionStage<ApiResult<Lease>> write(Lease lease);

    /**
     * The {@code kubectl} line by which an administrator ends every claim on a lease, as a compare and swap on the version that it has
     * ({@code safety.md#administrators-line}); empty if its name can't be used in a command line.
     */
    default Optional<String> endingLine(Lease lease) {
        return Optional.empty();
    }

    /**
     * Watches one lease from a list on; a first {@link WatchEvent.Snapshot} has it or is empty. Broken watches are
     * resumed with back-off for ever, and reported.
     */
    Subscription watch(ObjectKey key, Watcher<Lease> watcher);
}
