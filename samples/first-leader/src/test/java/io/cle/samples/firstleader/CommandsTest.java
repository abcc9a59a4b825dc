package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.marcnuri.helm.Helm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the documentation's commands without running them. {@link CommandsOnApiServerTest} runs them. */
class CommandsTest {

    private static final Path DEPLOY = JarProcess.ROOT.resolve("cle-coordinator-app/deploy");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *```(\\w*)\\n(.*?)^ *```$");
    private static final Pattern INLINE = Pattern.compile("`((?:kubectl|helm|java|\\./mvnw) [^`\\n]+)`");
    private static final Pattern PATH = Pattern.compile("(?<![\\w./-])(samples|evidence|cle-[a-z-]+)/[\\w./-]*\\w");
    private static final Pattern SELECTOR =
            Pattern.compile("(?:\\s-l[ =]?|\\s--selector[ =])(\"[^\"]+\"|'[^']+'|\\S+)");

    @TempDir
    Path folder;

    /** Returns the commands of a page, in blocks and in its text. */
    private static List<String> commands(String page) {
        return Stream.concat(
                        CommandBlock.of(page).stream().map(CommandBlock::text),
                        INLINE.matcher(Pages.read(page)).results().map(match -> match.group(1)))
                .toList();
    }

    /** Otherwise they would not be run. */
    @Test
    void commandsStandInBlocksOfTheLanguageShell() {
        for (String page : Pages.all()) {
            assertThat(FENCE.matcher(Pages.read(page)).results())
                    .as(page)
                    .filteredOn(fence -> !fence.group(1).equals("shell"))
                    .extracting(fence -> fence.group(2))
                    .noneMatch(text -> Pattern.compile("(?m)^ *(kubectl|helm|\\.?\\./mvnw|curl|java -\\S+) ")
                            .matcher(text)
                            .find());
        }
    }

    @Test
    void pathsOfCommandsExistOrAreBuilt() {
        List<String> missing = new ArrayList<>();
        for (String page : Pages.all()) {
            for (String command : commands(page)) {
                PATH.matcher(command)
                        .results()
                        .map(MatchResult::group)
                        .filter(path -> !isThere(path))
                        .forEach(path -> missing.add(page + ": " + path));
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Whether a path exists; a jar exists if the module builds it. */
    private static boolean isThere(String path) {
        Matcher target = Pattern.compile("(.+)/target(?:/([\\w-]+)\\.jar|/.*)?").matcher(path);
        if (!target.matches()) {
            return Files.exists(JarProcess.ROOT.resolve(path));
        }
        Path pom = JarProcess.ROOT.resolve(target.group(1)).resolve("pom.xml");
        return Files.exists(pom)
                && (target.group(2) == null
                        || Pages.read(pom)
                                .replace("${project.artifactId}", "cle-coordinator-app")
                                .contains("<finalName>" + target.group(2) + "</finalName>"));
    }

    @Test
    void testsOfCommandsExist() {
        assertThat(CommandBlock.all()
                        .flatMap(block -> Pattern.compile("-Dtest='?(\\w+)'?\\s")
                                .matcher(block.text())
                                .results())
                        .map(match -> match.group(1)))
                .isNotEmpty()
                .isSubsetOf(Pages.javaTypes());
    }

    /**
     * {@code kubectl wait --for=delete} succeeds at once if nothing matches: a procedure that relied on a wrong label
     * would continue while the old pods run.
     */
    @Test
    void selectorsMatchLabelsOfTheManifestsOrOfThePage() {
        List<Map<String, Object>> shipped = labels(shipped());
        // A leader labels its pod itself.
        shipped.add(Map.of("coordination.cle.io/leader", "true", "leader.coordination.cle.io/orders", "true"));
        List<String> unmatched = new ArrayList<>();
        int selectors = 0;
        for (String page : Pages.all()) {
            List<Map<String, Object>> labels = new ArrayList<>(shipped);
            FENCE.matcher(Pages.read(page))
                    .results()
                    .filter(fence -> fence.group(1).equals("yaml"))
                    .forEach(fence -> labels.addAll(labels(fence.group(2))));
            for (String command : commands(page)) {
                for (MatchResult selector : SELECTOR.matcher(command).results().toList()) {
                    selectors++;
                    List<String> terms =
                            List.of(selector.group(1).replaceAll("[\"']", "").split(","));
                    if (labels.stream().noneMatch(object -> terms.stream().allMatch(term -> matches(object, term)))) {
                        unmatched.add(page + ": " + selector.group(1));
                    }
                }
            }
        }
        assertThat(unmatched).isEmpty();
        assertThat(selectors).isPositive();
    }

    /** Whether labels match a term of a selector. Only the cluster knows the value of the label that a Deployment adds to its pods. */
    private static boolean matches(Map<String, Object> labels, String term) {
        String[] parts = term.split("!?=", 2);
        return parts[0].equals("pod-template-hash")
                || term.contains("!=") != parts[1].equals(String.valueOf(labels.get(parts[0])));
    }

    private static String shipped() {
        try (Stream<Path> files = Files.walk(DEPLOY)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.startsWith(DEPLOY.resolve("helm/templates")))
                    .map(Pages::read)
                    .collect(Collectors.joining("\n---\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the labels of objects and of their templates; none for text that isn't YAML by itself. */
    private static List<Map<String, Object>> labels(String manifests) {
        List<Map<String, Object>> found = new ArrayList<>();
        try {
            new Yaml().loadAll(manifests).forEach(document -> collect(document, found));
        } catch (YAMLException e) {
            return found;
        }
        return found;
    }

    @SuppressWarnings("unchecked")
    private static void collect(Object node, List<Map<String, Object>> found) {
        if (node instanceof Map<?, ?> map) {
            if (map.get("metadata") instanceof Map<?, ?> metadata
                    && metadata.get("labels") instanceof Map<?, ?> labels) {
                found.add((Map<String, Object>) labels);
            }
            map.values().forEach(value -> collect(value, found));
        }
    }

    /** Helm isn't available here, so its library renders the manifests. */
    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = "amd64",
            disabledReason = "Helm's library is brought for Linux on amd64")
    void valuesOfHelmCommandsAreTheCharts() {
        List<String> commands = Pages.all().stream()
                .flatMap(page -> commands(page).stream())
                .flatMap(String::lines)
                .filter(line -> line.matches("helm (install|template|upgrade) .*"))
                .toList();

        assertThat(commands)
                .isNotEmpty()
                .allSatisfy(command -> assertThat(rendered(command)).contains("kind: Deployment"));
    }

    private String rendered(String command) throws IOException {
        Map<String, Object> values = new HashMap<>();
        Pattern.compile("--set '?((?:[^=,\\s]+=(?:\\{[^}]*}|[^,'\\s]+),?)+)'?")
                .matcher(command)
                .results()
                .flatMap(set -> Pattern.compile("([^=,]+)=(\\{[^}]*}|[^,]+)")
                        .matcher(set.group(1))
                        .results())
                .forEach(value -> put(values, value.group(1), value.group(2)));
        Path file = Files.writeString(folder.resolve("values.yaml"), new Yaml().dump(values));
        return new Helm(DEPLOY.resolve("helm"))
                .template()
                .withName("cle")
                .withValuesFile(file)
                .call();
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> values, String name, String value) {
        String[] names = name.split("\\.");
        Map<String, Object> map = values;
        for (int i = 0; i < names.length - 1; i++) {
            map = (Map<String, Object>) map.computeIfAbsent(names[i], unused -> new HashMap<String, Object>());
        }
        map.put(names[names.length - 1], new Yaml().load(value.replaceAll("^\\{(.*)}$", "[$1]")));
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = "amd64",
            disabledReason = "Helm's library is brought for Linux on amd64")
    void everyInstallationOfDeployNamesTheImageThatItsFirstStepPushes() throws IOException {
        List<CommandBlock> blocks = CommandBlock.of("docs/deploy.md");
        Map<String, List<String>> lines = new HashMap<>();
        blocks.stream()
                .flatMap(block -> block.text().lines())
                .forEach(line -> lines.computeIfAbsent(line.split(" ")[0], unused -> new ArrayList<>())
                        .add(line));
        String image = lines.get("./mvnw").get(0).replaceAll(".*-Dimage=", "");
        String name = image.substring(0, image.lastIndexOf(':'));
        String tag = image.substring(image.lastIndexOf(':') + 1);

        assertThat(rendered(lines.get("helm").get(0))).contains("image: " + image);
        assertThat(blocks)
                .filteredOn(block -> block.text().contains("kubectl apply -k"))
                .first()
                .satisfies(block -> assertThat(block.text()).contains("newName: " + name, "newTag: \"" + tag + "\""));
    }
}
