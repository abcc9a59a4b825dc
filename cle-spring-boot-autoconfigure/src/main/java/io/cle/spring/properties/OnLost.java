package io.cle.spring.properties;

/** What to do when a term ends that this process didn't end by stopping ({@code cle.on-lost}). */
public enum OnLost {
    /** Stand for election again (lock's rule 6). */
    CONTINUE,
    /** Leave the process, for work that can't be stopped within it. */
    EXIT
}
