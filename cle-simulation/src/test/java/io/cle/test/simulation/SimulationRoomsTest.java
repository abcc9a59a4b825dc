package io.cle.test.simulation;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** Each package depends only on those before it, and has about a dozen types at most. */
class SimulationRoomsTest {

    private static final String SIMULATION = "io.cle.test.simulation";

    /** A room may use those before it. */
    private static final List<String> ROOMS = List.of("process", "server", "cluster", "nemesis", "checker");

    private static final int MOST_TYPES = 12;

    private static final JavaClasses CLASSES =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(SIMULATION);

    @ParameterizedTest
    @ValueSource(strings = {"process", "server", "cluster", "nemesis"})
    void aRoomKnowsNoneOfThoseAfterIt(String room) {
        String[] later = ROOMS.subList(ROOMS.indexOf(room) + 1, ROOMS.size()).stream()
                .map(SimulationRoomsTest::packageOf)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(packageOf(room))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(later)
                .check(CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "process", "server", "cluster", "nemesis", "checker"})
    void aRoomHoldsAboutADozenTypes(String room) {
        Map<String, Long> types = CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(types.get(room.isEmpty() ? SIMULATION : packageOf(room))).isBetween(1L, (long) MOST_TYPES);
    }

    private static String packageOf(String room) {
        return SIMULATION + ".internal." + room;
    }
}
