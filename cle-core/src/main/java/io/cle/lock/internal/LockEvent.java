package io.cle.lock.internal;

import java.util.Optional;

import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

/** What happens to a lock. */
public sealed interface LockEvent {

    /**
     * The process becomes a candidate.
     *
     * @param nonce tells it from others of the same identity, and from copies of itself; new for every start
     */
    record Start(String nonce) implements LockEvent {}

    /** The process withdraws its candidacy, and ends its term if it leads. */
    record Stop() implements LockEvent {}

    /**
     * The process ends its term if it leads, and is a candidate again after a lease duration.
     *
     * @param successor the candidate that the lease is given to; {@code null} to release it, or to give it to the preferred holder
     */
    record Resign(@Nullable String successor) implements LockEvent {}

    /**
     * The watch has shown the lease.
     *
     * @param contiguous whether no write was missed since the watch's last event
     */
    record LeaseSeen(Lease lease, boolean contiguous) implements LockEvent {}

    /**
     * The watch has shown that there is no lease.
     *
     * @param resourceVersion the version of the deletion; {@code null} if a list didn't contain it
     */
    record LeaseMissing(@Nullable String resourceVersion) implements LockEvent {}

    /**
     * The API server's history has begun anew from an earlier state ({@code safety.md#new-history}): nothing that was known of the lease can be
     * compared with what is seen from now on.
     *
     * @param lease the lease as it is now; {@code null} when there is none
     */
    record NewHistory(@Nullable Lease lease) implements LockEvent {}

    /** The answer to {@link LockAction.ReadLease}. */
    record ReadDone(ApiResult<Optional<Lease>> result) implements LockEvent {}

    /** The answer to {@link LockAction.WriteLease}. */
    record WriteDone(ApiResult<Lease> result) implements LockEvent {}

    /** All work of the term with this fencing token has ended, after {@link LockAction.Revoke}. */
    record Drained(long fencingToken) implements LockEvent {}

    /** The candidate was pinged, so that an election is under way; its result must be seen even if the watch lags. */
    record ElectionStarted() implements LockEvent {}

    /** The instant of {@link LockState#wakeAt()} has come. */
    record Tick() implements LockEvent {}
}
