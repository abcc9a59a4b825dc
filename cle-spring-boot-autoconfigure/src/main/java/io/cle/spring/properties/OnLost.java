package io.cle.spring.properties;

/** What to do when a term ends that this process didn't end by stopping ({@code cle.on-lost}). */
public enum OnLost {
    /** Be a candidate again (safety.md#candidate-again). */
    CONTINUE,
    /** Leave the process, for work that can't be stopped within it. */
    EXIT
}
