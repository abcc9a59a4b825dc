package io.cle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules for the sources of all modules, read as text from here: no module has to inherit them or be built first. */
class ProjectSourcesTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Path MAIN = Path.of("src", "main", "java");
    private static final Path TEST = Path.of("src", "test", "java");

    /** Calls that sleep, of Thread and TimeUnit, and method references to them. */
    private static final Pattern SLEEPS = Pattern.compile("(\\.|::)sleep\\b");

    private static final Pattern SWITCHED_OFF = Pattern.compile("@(Disabled|Ignore)\\b");
    private static final Pattern NULL_MARKED = Pattern.compile("@NullMarked\\s+package ");

    private static final Pattern DECLARED = Pattern.compile("(?m)^package ([\\w.]+);");

    /** The package of an imported type, or of the type that declares an imported member or type. */
    private static final Pattern IMPORTED =
            Pattern.compile("(?m)^import (?:static )?([a-z\\d]+(?:\\.[a-z\\d]+)*)\\.[A-Z]");

    private static final Path PACKAGE = Path.of("package-info.java");

    /** Returns the sources of all modules, which are the folders with a pom.xml. */
    private static List<Path> sources(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> poms = Files.find(PROJECT, 3, (path, unused) -> path.endsWith("pom.xml"))) {
            for (Path pom : poms.toList()) {
                Path root = pom.resolveSibling(folder);
                if (Files.isDirectory(root)) {
                    found.addAll(javaFiles(root));
                }
            }
        }
        return found;
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("ProjectSourcesTest.java"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> containing(List<Path> sources, Pattern pattern) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (pattern.matcher(lines.get(i)).find()) {
                    found.add(PROJECT.relativize(source) + ":" + (i + 1) + ": "
                            + lines.get(i).strip());
                }
            }
        }
        return found;
    }

    @Test
    void theSourcesOfAllModulesAreFound() throws IOException {
        assertThat(sources(TEST)).anyMatch(path -> path.endsWith("ArchitectureTest.java"));
        assertThat(sources(MAIN)).anyMatch(path -> path.startsWith(PROJECT.resolve("cle-spring-boot-autoconfigure")));
    }

    @Test
    void noTestSleeps() throws IOException {
        assertThat(containing(sources(TEST), SLEEPS))
                .as("inject the time; where a real process is involved, wait with Awaitility")
                .isEmpty();
    }

    @Test
    void noTestIsSwitchedOff() throws IOException {
        assertThat(containing(sources(TEST), SWITCHED_OFF)).isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() throws IOException {
        List<Path> packages =
                sources(MAIN).stream().map(Path::getParent).distinct().toList();

        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                        .exists()
                        .content()
                        .containsPattern(NULL_MARKED));
    }

    /** A module path allows no package in two jars, and package-private members would depend on the order of the class path. */
    @Test
    void noPackageIsInTwoModules() throws IOException {
        Map<Path, Set<Path>> modules = new TreeMap<>();
        for (Path source : sources(MAIN)) {
            Path inProject = PROJECT.relativize(source.getParent());
            int main = inProject.toString().indexOf(MAIN.toString());
            Path module = Path.of(inProject.toString().substring(0, main));
            modules.computeIfAbsent(module.resolve(MAIN).relativize(inProject), unused -> new TreeSet<>())
                    .add(module);
        }

        assertThat(modules)
                .isNotEmpty()
                .allSatisfy((folder, having) ->
                        assertThat(having).as(folder.toString()).hasSize(1));
    }

    @Test
    void aTypesNameIsUsedOnceInTheProduct() throws IOException {
        Map<String, List<Path>> named = new TreeMap<>();
        for (Path source : sources(MAIN)) {
            Path inProject = PROJECT.relativize(source);
            if (inProject.startsWith("samples") || inProject.startsWith("evidence") || inProject.endsWith(PACKAGE)) {
                continue;
            }
            named.computeIfAbsent(inProject.getFileName().toString(), unused -> new ArrayList<>())
                    .add(inProject);
        }

        assertThat(named)
                .isNotEmpty()
                .allSatisfy((name, having) -> assertThat(having).as(name).hasSize(1));
    }

    @Test
    void packagesDoNotImportEachOtherInCircles() throws IOException {
        Map<String, Set<String>> imported = new TreeMap<>();
        for (Path source : sources(MAIN)) {
            String text = Files.readString(source);
            Matcher declared = DECLARED.matcher(text);
            if (declared.find()) {
                Set<String> known = imported.computeIfAbsent(declared.group(1), unused -> new TreeSet<>());
                IMPORTED.matcher(text).results().map(found -> found.group(1)).forEach(known::add);
            }
        }
        imported.forEach((name, known) -> known.retainAll(imported.keySet()));
        imported.forEach((name, known) -> known.remove(name));

        // A package that imports none of the remaining ones is in no cycle.
        while (imported.values().removeIf(Set::isEmpty)) {
            imported.values().forEach(known -> known.retainAll(imported.keySet()));
        }
        assertThat(imported).isEmpty();
    }
}
