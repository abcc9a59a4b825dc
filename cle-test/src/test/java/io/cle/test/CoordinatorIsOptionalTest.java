package io.cle.test;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Tests with the embedded API server alone don't have {@code cle-coordinator} on their class path. */
@AnalyzeClasses(packages = "io.cle.test", importOptions = ImportOption.DoNotIncludeTests.class)
class CoordinatorIsOptionalTest {

    @ArchTest
    static final ArchRule onlyTheEmbeddedCoordinatorNeedsIt = noClasses()
            .that()
            .resideOutsideOfPackage("io.cle.test.coordinator")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.cle.election..", "io.cle.test.coordinator");
}
