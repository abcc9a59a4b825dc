package io.cle.lock.internal;

import io.cle.RevokeReason;
import io.cle.model.internal.Lease;
import io.cle.model.internal.StandingClaim;
import org.jspecify.annotations.Nullable;

/** What a lock wants done. Actions are carried out in order; the state that came with them is in force before the first. */
public sealed interface LockAction {

    /** Read the lease from the API server; answer by {@link LockEvent.ReadDone}. */
    record ReadLease() implements LockAction {}

    /** Create the lease if it was never stored, else compare and swap it; answer by {@link LockEvent.WriteDone}. */
    record WriteLease(Lease desired) implements LockAction {
        /** Whether it has to be created. */
        public boolean create() {
            return desired.resourceVersion() == null;
        }
    }

    /** Tell listeners that a term has begun. */
    record Grant(BegunTerm term) implements LockAction {}

    /** Tell listeners that a term has ended; answer by {@link LockEvent.Drained} when all of its work has ended. */
    record Revoke(BegunTerm term, RevokeReason reason) implements LockAction {}

    /** Tell listeners the new holder; {@code null} for none. */
    record LeaderChanged(@Nullable String holder) implements LockAction {}

    /** Withdraw the candidacy until {@link Announce}. */
    record Withdraw() implements LockAction {}

    /** Announce the candidacy. */
    record Announce() implements LockAction {}

    /** Log a warning: the record isn't renewed, and keeps the lease from being acquired for long. */
    record ReportClaim(StandingClaim claim) implements LockAction {}

    /**
     * Log a warning.
     *
     * @param failure what has failed, if the request is tried again: until it succeeds, the same failure needs no second line; {@code null}
     *     if each report is a line
     */
    record Report(String message, @Nullable String failure) implements LockAction {

        /** A report that is a line each time. */
        Report(String message) {
            this(message, null);
        }
    }
}
