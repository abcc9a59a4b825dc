package io.cle.coordinator;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorReplica;
import io.cle.election.internal.Decision;
import io.cle.election.internal.Election;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.store.internal.LeaseApi;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The jar runs the coordinator that the simulation runs, too: {@code SimulatedCoordinatorTest} of {@code cle-simulation} names the same types.
 * Rule: {@code safety.md#one-coordinator}.
 */
@AnalyzeClasses(packages = "io.cle.coordinator", importOptions = ImportOption.DoNotIncludeTests.class)
class OneCoordinatorPathTest {

    private static final Class<?>[] SHARED = {Coordinator.class, CoordinatorReplica.class};

    @Test
    void theJarMakesTheCoordinator() {
        JavaClasses jar = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.cle.coordinator");

        for (Class<?> shared : SHARED) {
            assertThat(jar).as("the jar").anyMatch(type -> makes(type, shared));
            assertThat(new ClassFileImporter().importClass(shared).getModifiers())
                    .as("no subclass can change %s", shared)
                    .contains(FINAL);
        }
    }

    private static boolean makes(JavaClass type, Class<?> made) {
        return type.getConstructorCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(made));
    }

    @ArchTest
    static final ArchRule theJarDecidesNothing =
            noClasses().should().dependOnClassesThat(belongToAnyOf(Election.class, Decision.class));

    @ArchTest
    static final ArchRule theJarSendsNoRequestsAboutElections = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(LeaseApi.class)
                            .or(assignableTo(CandidateClient.class))
                            .or(assignableTo(CoordinatorClient.class))))
                    .and(DescribedPredicate.not(name("of"))));
}
