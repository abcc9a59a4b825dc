package io.cle.spring.migration.internal;

import java.util.Optional;
import java.util.Set;

import io.cle.spring.onleader.OnLeader;

/** Resolves which lease leads a controller in this application (KEP-2436). Used as a bean, at startup. */
@FunctionalInterface
public interface ControllerAssignments {

    /**
     * Returns the lease of a controller that runs in this application.
     *
     * @return the lease's name in this application; empty for the default one
     */
    Optional<String> leaseOf(String controller);

    /** Returns whether a controller may run in this application. If not, it never runs, whichever process leads. */
    default boolean runsHere(String controller) {
        return true;
    }

    /**
     * Checks the controllers of the beans before any of them runs.
     *
     * @param controllers all that {@link OnLeader#controller()} names
     * @throws RuntimeException if they contradict the assignments; fails the start
     */
    default void check(Set<String> controllers) {}
}
