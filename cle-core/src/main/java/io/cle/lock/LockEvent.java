package io.cle.lock;

import java.util.Optional;

import io.cle.api.ApiResult;
import io.cle.model.Lease;
import org.jspecify.annotations.Nullable;

/** What happens to a lock. */
public sealed interface LockEvent {

    /** It shall stand for election. */
    record Start() implements LockEvent {}

    /** It shall stand no more. */
    record Stop() implements LockEvent {}

    /** It shall give up its term and stay away for a while. */
    record Resign() implements LockEvent {}

    /**
     * The watch has told of the lease.
     *
     * @param contiguous whether nothing can have been missed since the watch's last event
     */
    record LeaseSeen(Lease lease, boolean contiguous) implements LockEvent {}

    /**
     * The watch has told that there is no lease.
     *
     * @param resourceVersion the version of the deletion; {@code null} where it was found missing
     */
    record LeaseMissing(@Nullable String resourceVersion) implements LockEvent {}

    /** The read that was asked for has ended. */
    record ReadDone(ApiResult<Optional<Lease>> result) implements LockEvent {}

    /** The write that was asked for has ended. */
    record WriteDone(ApiResult<Lease> result) implements LockEvent {}

    /** All listeners have returned from the revocation of the term with this fencing token. */
    record Drained(long fencingToken) implements LockEvent {}

    /** This candidate was asked to acknowledge, so an election is on; its result may have to be looked for. */
    record ElectionHeard() implements LockEvent {}

    /** A wake-up that was asked for is due. */
    record Tick() implements LockEvent {}
}
