package io.cle.lock;

/** Why a term ended. */
public enum RevokeReason {
    /** A better candidate exists, and the coordinator, or that candidate, has asked this one to yield. */
    END_OF_TERM,
    /** {@code resign()} was called. */
    RESIGNED,
    /** The lock was stopped, as at the end of the application. */
    STOPPED,
    /** No renewal succeeded until the renew deadline: the API server was away, or this process stood still. */
    RENEW_DEADLINE,
    /** Somebody else holds the lease, or it was deleted. */
    LEASE_LOST
}
