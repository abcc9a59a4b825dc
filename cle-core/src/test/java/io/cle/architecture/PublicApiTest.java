package io.cle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Types for users are those that {@code public-types.txt} lists, so that a commit that adds or removes one shows it; all others are in packages
 * named {@code internal}.
 */
class PublicApiTest {

    @Test
    void publicTypesOutsideOfInternalPackagesAreThoseThatAreListed() throws IOException {
        assertThat(publicTypes())
                .containsExactlyElementsOf(Files.readAllLines(Path.of("src", "test", "resources", "public-types.txt")));
    }

    private static Set<String> publicTypes() {
        Set<String> types = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of("target", "classes"))) {
            if (type.getModifiers().contains(JavaModifier.PUBLIC)
                    && type.isTopLevelClass()
                    && !(type.getPackageName() + '.').contains(".internal.")) {
                types.add(type.getName());
            }
        }
        return types;
    }
}
