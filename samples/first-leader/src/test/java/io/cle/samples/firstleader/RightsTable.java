package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.yaml.snakeyaml.Yaml;

/** The table of cle-coordinator-app/deploy/README.md: the rights that each operation uses, and the roles that grant them. */
final class RightsTable {

    private static final Path DEPLOY = JarProcess.ROOT.resolve("cle-coordinator-app/deploy");

    private RightsTable() {}

    /**
     * A row.
     *
     * @param rights each as {@code verb resource}
     * @param roles each of which grants them
     */
    record Row(String who, String operation, Set<String> rights, Set<String> roles) {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (List<String> cells : Pages.table("cle-coordinator-app/deploy/README.md", "who | operation")) {
            rows.add(new Row(
                    cells.get(0),
                    cells.get(1),
                    Stream.of(cells.get(2).split(";"))
                            .flatMap(RightsTable::rights)
                            .collect(Collectors.toCollection(TreeSet::new)),
                    Pattern.compile("`([^`]+)`")
                            .matcher(cells.get(3))
                            .results()
                            .map((MatchResult role) -> role.group(1))
                            .collect(Collectors.toCollection(LinkedHashSet::new))));
        }
        return rows;
    }

    /** Parses rights such as {@code list, watch leases}. */
    private static Stream<String> rights(String text) {
        String[] words = text.strip().split("[, ]+");
        return Arrays.stream(words, 0, words.length - 1).map(verb -> verb + " " + words[words.length - 1]);
    }

    /** Returns the rights of the shipped roles by role, each right as {@code verb resource}. */
    @SuppressWarnings("unchecked")
    static Map<String, Set<String>> granted() {
        Map<String, Set<String>> granted = new HashMap<>();
        for (Map<String, Object> object : manifests()) {
            if (!String.valueOf(object.get("kind")).endsWith("Role")) {
                continue;
            }
            String name = (String) ((Map<String, Object>) object.get("metadata")).get("name");
            for (Map<String, List<String>> rule : (List<Map<String, List<String>>>) object.get("rules")) {
                for (String resource : rule.get("resources")) {
                    rule.get("verbs")
                            .forEach(verb -> granted.computeIfAbsent(name, unused -> new TreeSet<>())
                                    .add(verb + " " + resource));
                }
            }
        }
        return granted;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> manifests() {
        List<Map<String, Object>> objects = new ArrayList<>();
        try (Stream<Path> files = Files.walk(DEPLOY)) {
            files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.startsWith(DEPLOY.resolve("helm")))
                    .forEach(file -> new Yaml()
                            .loadAll(Pages.read(file))
                            .forEach(object -> objects.add((Map<String, Object>) object)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return objects;
    }
}
