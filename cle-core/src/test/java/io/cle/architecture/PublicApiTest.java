package io.cle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public types are those that {@code public-types.txt} lists, so that a commit that adds or removes one shows it.
 * All others are in packages named {@code internal}.
 */
class PublicApiTest {

    @Test
    void publicTypesOutsideOfInternalPackagesAreThoseThatAreListed() throws IOException {
        assertThat(publicTypes())
                .containsExactlyElementsOf(Files.readAllLines(Path.of("src", "test", "resources", "public-types.txt")));
    }

    /** A new component breaks a record's callers and patterns; types that will grow are interfaces or have builders. */
    @Test
    void noRecordForUsersHasMoreThanFiveParts() {
        assertThat(typesForUsers().filter(JavaClass::isRecord))
                .isNotEmpty()
                .allSatisfy(type -> assertThat(type.reflect().getRecordComponents())
                        .as(type.getName())
                        .hasSizeLessThanOrEqualTo(5));
    }

    private static Set<String> publicTypes() {
        return typesForUsers()
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<JavaClass> typesForUsers() {
        return new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPath(Path.of("target", "classes"))
                        .stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !(type.getPackageName() + '.').contains(".internal."));
    }
}
