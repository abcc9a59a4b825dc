package io.cle.lock;

/** Who decides who leads. */
public enum LockKind {
    /** A coordinator elects among candidates (KEP-4355). */
    COORDINATED,
    /** Processes race for the record, as client-go's do. */
    DIRECT
}
