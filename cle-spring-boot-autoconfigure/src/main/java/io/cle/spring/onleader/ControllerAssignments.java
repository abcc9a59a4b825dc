package io.cle.spring.onleader;

import java.util.Optional;
import java.util.Set;

/** Says whether and by which lease a controller is led here (KEP-2436). A bean of it is asked at the start. */
@FunctionalInterface
public interface ControllerAssignments {

    /**
     * The lease of a controller that runs here.
     *
     * @return the lease's name in this application; empty for the default one
     */
    Optional<String> leaseOf(String controller);

    /** Whether a controller may run in this application at all; one that may not is never run, whoever leads. */
    default boolean runsHere(String controller) {
        return true;
    }

    /**
     * Is told what controllers the beans have, before any of them runs, and may refuse.
     *
     * @param controllers all that {@link OnLeader#controller()} names
     */
    default void check(Set<String> controllers) {}
}
