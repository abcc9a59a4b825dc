package io.cle.test.simulation.internal.cluster;

import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;

import io.cle.test.simulation.Scenario;

/**
 * How the coordinators of a cluster are set up.
 *
 * @param namespaces the namespaces in scope; empty for all
 * @param stabilization how long a candidate must have been there before it preempts a leader
 */
public record CoordinatorSetup(Set<String> namespaces, Duration stabilization) {

    /** A namespace without any lease, in scope beside the one that has it. */
    public static final String OTHER_NAMESPACE = "bank";

    /** All namespaces, and no stabilization. */
    static final CoordinatorSetup DEFAULT = new CoordinatorSetup(Set.of(), Duration.ZERO);

    static CoordinatorSetup random(SplittableRandom random) {
        return new CoordinatorSetup(
                random.nextBoolean() ? Set.of() : Set.of(Scenario.LEASE.namespace(), OTHER_NAMESPACE),
                random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(3 + random.nextInt(15)));
    }
}
