package io.cle.spring;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** One feature is one package, small enough to be read in one go. */
class RoomsTests {

    private static final int MOST_TYPES = 16;

    private static final JavaClasses STARTER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.cle.spring");

    @Test
    void noPackageHoldsMoreTypesThanAReaderKeepsInMind() {
        Map<String, Long> crowded = new TreeMap<>(STARTER.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting())));
        crowded.values().removeIf(types -> types <= MOST_TYPES);

        assertThat(crowded).isEmpty();
    }

    @Test
    void featuresFormNoCycles() {
        slices().matching("io.cle.spring.(*)..").should().beFreeOfCycles().check(STARTER);
    }

    @Test
    void theActuatorIsOnTopOfTheFeatures() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.cle.spring.actuate..", "io.cle.spring.autoconfigure")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.cle.spring.actuate..")
                .check(STARTER);
    }

    @Test
    void whatUsersSeeDependsOnNothingInternal() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.cle.spring..internal..", "io.cle.spring.autoconfigure")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.cle.spring..internal..")
                .check(STARTER);
    }

    @Test
    void onlyTheClusterAndTheProcessesFactsKnowOfKubernetes() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.cle.spring.kubernetes..",
                        "io.cle.spring.properties.internal",
                        "io.cle.spring.autoconfigure",
                        "io.cle.spring.test..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.kubernetes..", "io.cle.kubernetes..")
                .check(STARTER);
    }

    @Test
    void packagesSayWhatTheyAreForAndWhatMayBeNull() {
        assertThat(STARTER.stream().map(JavaClass::getPackage).distinct())
                .allSatisfy(room -> assertThat(room.tryGetPackageInfo())
                        .as("package-info of %s", room.getName())
                        .hasValueSatisfying(
                                info -> assertThat(info.isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                                        .isTrue()));
    }
}
