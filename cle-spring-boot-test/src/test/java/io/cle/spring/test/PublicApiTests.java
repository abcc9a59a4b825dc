package io.cle.spring.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public types of the starter and the test kit are listed in {@code public-types.txt}, so that a commit that adds
 * or removes one shows it; all others are in packages named {@code internal}.
 */
class PublicApiTests {

    private static final JavaClasses TYPES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.cle.spring");

    @Test
    void publicTypesOutsideOfInternalPackagesAreThoseThatAreListed() throws IOException {
        assertThat(publicTypes())
                .containsExactlyElementsOf(Files.readAllLines(Path.of("src", "test", "resources", "public-types.txt")));
    }

    /** A new component breaks code that creates or deconstructs a record; a type that will grow is an interface or has a builder. */
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
        return TYPES.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !(type.getPackageName() + '.').contains(".internal."));
    }
}
