package io.cle;

/** What a process is for a lease at the moment. */
public enum Role {
    /** It leads. */
    LEADER,
    /** It is a candidate, or has resigned and will be one again. */
    CANDIDATE,
    /** Its term has ended; it waits for the work to end, or hands the lease over. */
    DRAINING,
    /** It isn't a candidate. */
    STOPPED
}
