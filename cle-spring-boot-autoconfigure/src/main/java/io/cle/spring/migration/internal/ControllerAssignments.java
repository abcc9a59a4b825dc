package io.cle.spring.migration.internal;

import java.util.Optional;
import java.util.Set;

import io.cle.spring.onleader.OnLeader;

/** Says whether a controller runs in this application, and by which lease it is led (KEP-2436). Asked as a bean, at startup. */
@FunctionalInterface
public interface ControllerAssignments {

    /**
     * The lease of a controller that runs in this application.
     *
     * @return the lease's name in this application; empty for the default one
     */
    Optional<String> leaseOf(String controller);

    /** Whether a controller may run in this application at all; if not, it never runs, whichever process leads. */
    default boolean runsHere(String controller) {
        return true;
    }

    /**
     * Checks the controllers that the beans have, before any of them runs.
     *
     * @param controllers all that {@link OnLeader#controller()} names
     * @throws RuntimeException if they contradict the assignments; fails the start
     */
    default void check(Set<String> controllers) {}
}
