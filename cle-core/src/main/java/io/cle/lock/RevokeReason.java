package io.cle.lock;

/** Why a term ended. */
public enum RevokeReason {
    /** A better candidate exists, and the coordinator, or that candidate, has asked the leader to yield. */
    END_OF_TERM,
    /** {@code resign()} was called. */
    RESIGNED,
    /** The lock was stopped, for example at the end of the application. */
    STOPPED,
    /** No renewal succeeded until the renew deadline: the API server didn't answer, or this process was paused. */
    RENEW_DEADLINE,
    /** Another process holds the lease, or it was deleted. */
    LEASE_LOST
}
