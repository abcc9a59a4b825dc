package io.cle;

/** Why a term ended. */
public enum RevokeReason {
    /** A better candidate exists, and the coordinator, or that candidate, has asked the leader to yield. */
    END_OF_TERM,
    /** {@code resign()} was called. */
    RESIGNED,
    /** The lock was stopped, for example at the end of the application; or it starts over, because the API server serves another wire format. */
    STOPPED,
    /** No renewal succeeded until the renew deadline: the API server didn't answer, or this process was paused. */
    RENEW_DEADLINE,
    /**
     * The wall clock has moved ahead of the monotonic one by more than lease duration minus renew deadline: the machine may have been
     * suspended, so that the monotonic clock stood still while the lease ran out.
     */
    SUSPENDED,
    /** Another process holds the lease, or it was deleted. */
    LEASE_LOST
}
