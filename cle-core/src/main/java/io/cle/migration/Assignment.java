package io.cle.migration;

/** The lock under which a controller runs in a component. */
public enum Assignment {
    /** Under the component's own lock: it doesn't migrate. */
    MAIN_LOCK,
    /** Under the lock that the components share. */
    MIGRATION_LOCK,
    /** Not in this component, whichever component leads. */
    NOT_HERE
}
