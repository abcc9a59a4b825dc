package io.cle.store.internal;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;

/**
 * Reads, writes and watches leases in one wire format. Requests don't throw, and their stages don't fail: a failure is an {@link ApiResult}.
 * Thread-safe; the package documentation says on which thread results arrive.
 */
public interface LeaseApi {

    /** Reads a lease from the API server, not from a cache; empty if it doesn't exist. */
    CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key);

    /** Creates a lease; {@link ApiResult.Conflict} if it already exists. Returns the lease as stored. */
    CompletionStage<ApiResult<Lease>> create(Lease lease);

    /**
     * Writes all of a lease's fields by compare and swap on {@link Lease#resourceVersion()}, which must be set; {@link ApiResult.Conflict}
     * if the lease has changed, {@link ApiResult.Gone} if it doesn't exist. Fields that the model doesn't know (other annotations, labels,
     * fields of newer versions) are preserved. Returns the lease as stored.
     */
    CompletionStage<ApiResult<Lease>> write(Lease lease);

    /**
     * Returns the {@code kubectl} command with which an administrator ends every claim on a lease, as a compare and swap on its current
     * version ({@code safety.md#administrators-line}); empty if its name can't be used in a command line.
     */
    default Optional<String> endingLine(Lease lease) {
        return Optional.empty();
    }

    /**
     * Lists and watches one lease. The first event is a {@link WatchEvent.Snapshot} with the lease, or an empty one. Broken watches are
     * reported and resumed with back-off, without limit.
     */
    Subscription watch(ObjectKey key, Watcher<Lease> watcher);
}
