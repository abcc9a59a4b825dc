package io.cle.spring.properties;

/** The reaction to the end of a term that this process didn't end by stopping ({@code cle.on-lost}). */
public enum OnLost {
    /** The process becomes a candidate again (safety.md#candidate-again). */
    CONTINUE,
    /** The process exits, for work that can't be stopped within it. */
    EXIT
}
