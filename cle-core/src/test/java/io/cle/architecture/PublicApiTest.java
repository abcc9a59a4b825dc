package io.cle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Types for users are those that {@code docs/api.md} lists; all others are in packages named {@code internal}. */
class PublicApiTest {

    private static final Pattern ROW = Pattern.compile("\\| `(io\\.cle[a-z.]*)` \\| (.*) \\|");
    private static final Pattern TYPE = Pattern.compile("`(\\w+)`");

    @Test
    void publicTypesOutsideOfInternalPackagesAreThoseOnThePage() throws IOException {
        assertThat(publicTypes()).isEqualTo(typesOnThePage());
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

    private static Set<String> typesOnThePage() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "api.md"));
        int begin = page.indexOf("\n## cle-core\n");
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
