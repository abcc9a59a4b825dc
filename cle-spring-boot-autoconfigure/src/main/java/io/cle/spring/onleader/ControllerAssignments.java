package io.cle.spring.onleader;

import java.util.Optional;

/** Says which lease a controller is led by (KEP-2436). A bean of it is asked once, at the start. */
@FunctionalInterface
public interface ControllerAssignments {

    /**
     * The lease of a controller.
     *
     * @return the lease's name in this application; empty for the default one
     */
    Optional<String> leaseOf(String controller);
}
