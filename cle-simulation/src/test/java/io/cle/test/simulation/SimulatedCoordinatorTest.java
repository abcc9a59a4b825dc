package io.cle.test.simulation;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulation runs the coordinator that the jar runs, too: {@code OneCoordinatorPathTest} of {@code cle-coordinator-app} names the same
 * types. Rule: {@code safety.md#one-coordinator}.
 */
class SimulatedCoordinatorTest {

    private static final JavaClasses SIMULATION =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.cle.test.simulation");

    @ParameterizedTest
    @ValueSource(classes = {Coordinator.class, CoordinatorReplica.class})
    void theSimulationMakesTheCoordinator(Class<?> shared) {
        assertThat(SIMULATION).anyMatch(type -> makes(type, shared));
    }

    private static boolean makes(JavaClass type, Class<?> made) {
        return type.getConstructorCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(made));
    }
}
