package io.cle.lock;

import io.cle.model.Lease;
import org.jspecify.annotations.Nullable;

/** What a lock wants done. Actions are carried out in order; the state that came with them is in force before the first. */
public sealed interface LockAction {

    /** Read the lease from the API server and answer by {@link LockEvent.ReadDone}. */
    record ReadLease() implements LockAction {}

    /** Create the lease, where it was never stored, or else compare and swap it; answer by {@link LockEvent.WriteDone}. */
    record WriteLease(Lease desired) implements LockAction {
        /** Whether it has to be created. */
        public boolean create() {
            return desired.resourceVersion() == null;
        }
    }

    /** Tell the listeners that a term has begun. */
    record Grant(Term term) implements LockAction {}

    /** Tell the listeners that the term is over, and answer by {@link LockEvent.Drained} when they have returned. */
    record Revoke(Term term, RevokeReason reason) implements LockAction {}

    /** Tell the listeners who is named as the holder now. */
    record LeaderChanged(@Nullable String holder) implements LockAction {}

    /** Withdraw the candidacy until it is wanted again ({@link Announce}). */
    record Withdraw() implements LockAction {}

    /** Announce the candidacy again. */
    record Announce() implements LockAction {}

    /** Tell a person that something isn't as it should be. */
    record Report(String message) implements LockAction {}
}
