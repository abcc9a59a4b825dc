package io.cle.lock.internal;

/** How a leader is found. */
public enum LockKind {
    /** A coordinator elects among candidates (KEP-4355). */
    COORDINATED,
    /** Processes race for the record, as client-go's do. */
    DIRECT
}
