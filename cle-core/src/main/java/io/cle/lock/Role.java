package io.cle.lock;

/** What a process is for a lease at the moment. */
public enum Role {
    /** It leads. */
    LEADER,
    /** It stands for election, or will again. */
    CANDIDATE,
    /** It no longer leads and waits for its work to end before it hands the lease over. */
    DRAINING,
    /** It doesn't stand. */
    STOPPED
}
