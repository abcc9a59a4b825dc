package io.cle;

/** The current role of a process for a lease. */
public enum Role {
    /** It leads. */
    LEADER,
    /** It is a candidate, or has resigned and will be one again. */
    CANDIDATE,
    /** Its term has ended; it is waiting for the led work to end, or is handing the lease over. */
    DRAINING,
    /** It isn't a candidate. */
    STOPPED
}
