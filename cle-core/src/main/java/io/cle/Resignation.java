package io.cle;

/** The outcome of {@link CoordinatedLeaseLock#resign()} and {@link CoordinatedLeaseLock#resign(String)}, as far as this process knows. */
public enum Resignation {
    /** This process did not lead: there was nothing to resign from. */
    NOT_LEADING,
    /** The successor that was named isn't a candidate for the lease: nothing has happened, and this process continues to lead. */
    NOT_A_CANDIDATE,
    /** The term is over, and the lease is released or handed over: another process can lead at once. */
    RELEASED,
    /** The term is over, but the lease could not be released: another process can lead once it has expired. */
    EXPIRES
}
