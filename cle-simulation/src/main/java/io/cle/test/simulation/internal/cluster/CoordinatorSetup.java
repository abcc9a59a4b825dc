package io.cle.test.simulation.internal.cluster;

import java.util.Set;
import java.util.SplittableRandom;

import io.cle.test.simulation.scenario.Scenario;

/**
 * How the coordinators of a cluster are set up.
 *
 * @param namespaces the namespaces in scope; empty for all
 */
public record CoordinatorSetup(Set<String> namespaces) {

    /** A namespace without any lease, in scope beside the one that has it. */
    public static final String OTHER_NAMESPACE = "bank";

    /** All namespaces. */
    static final CoordinatorSetup DEFAULT = new CoordinatorSetup(Set.of());

    static CoordinatorSetup random(SplittableRandom random) {
        return new CoordinatorSetup(
                random.nextBoolean() ? Set.of() : Set.of(Scenario.LEASE.namespace(), OTHER_NAMESPACE));
    }
}
