package io.cle.spring.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Types for users are those that {@code docs/api.md} lists; all others are in packages named {@code internal}. */
class PublicApiTests {

    private static final Pattern ROW = Pattern.compile("\\| `(io\\.cle[a-z.]*)` \\| (.*) \\|");
    private static final Pattern TYPE = Pattern.compile("`(\\w+)`");
    private static final String TEST_KIT = "io.cle.spring.test";

    private static final JavaClasses TYPES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.cle.spring");

    @Test
    void theStartersPublicTypesAreThoseOnThePage() throws IOException {
        assertThat(publicTypes(false)).isEqualTo(typesOnThePage("cle-spring-boot-autoconfigure"));
    }

    @Test
    void theTestKitsPublicTypesAreThoseOnThePage() throws IOException {
        assertThat(publicTypes(true)).isEqualTo(typesOnThePage("cle-spring-boot-test"));
    }

    private static Set<String> publicTypes(boolean testKit) {
        return TYPES.stream()
                .filter(type -> type.getPackageName().equals(TEST_KIT) == testKit)
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                .filter(type -> !(type.getPackageName() + '.').contains(".internal."))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> typesOnThePage(String module) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "api.md"));
        int begin = page.indexOf("\n## " + module + "\n");
        assertThat(begin).as("the section of %s", module).isNotNegative();
        int end = page.indexOf("\n## ", begin + 1);
        Matcher row = ROW.matcher(page.substring(begin, end < 0 ? page.length() : end));
        Set<String> types = new TreeSet<>();
        while (row.find()) {
            Matcher type = TYPE.matcher(row.group(2));
            while (type.find()) {
                types.add(row.group(1) + '.' + type.group(1));
            }
        }
        return types;
    }
}
