package io.cle;

/** Why a term ended. */
public enum RevokeReason {
    /** There is a better candidate: the coordinator, or that candidate, has asked the leader to yield. */
    END_OF_TERM,
    /** {@code resign()} was called. */
    RESIGNED,
    /** The lock was stopped, for example because the application shuts down; or it restarts because the API server serves another wire format. */
    STOPPED,
    /** No renewal succeeded before the renew deadline: the API server didn't answer, or this process was paused. */
    RENEW_DEADLINE,
    /**
     * The wall clock has gained more than lease duration minus renew deadline on the monotonic clock. The machine may have been suspended,
     * in which case the monotonic clock stopped while the lease expired.
     */
    SUSPENDED,
    /** Another process holds the lease, or it was deleted. */
    LEASE_LOST
}
