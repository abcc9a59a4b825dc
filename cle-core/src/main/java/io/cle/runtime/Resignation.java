package io.cle.runtime;

/** The outcome of {@link CoordinatedLeaseLock#resign()}, as far as this process knows. */
public enum Resignation {
    /** This process did not lead: there was nothing to resign from. */
    NOT_LEADING,
    /** The term is over, and the lease is released or handed over: another process can lead at once. */
    RELEASED,
    /** The term is over, but the lease could not be released: another process can lead once it has expired. */
    EXPIRES
}
