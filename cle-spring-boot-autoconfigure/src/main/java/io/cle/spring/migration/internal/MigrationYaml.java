package io.cle.spring.migration.internal;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.cle.migration.ControllerLeader;
import io.cle.migration.LeaderMigrationConfiguration;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads a configuration as KEP-2436 writes it, strictly: an unknown or repeated field is an error like a missing one, because it would
 * silently leave a controller with the wrong component. Reports all errors, each with its line.
 */
final class MigrationYaml {

    private static final String CONTROLLER_LEADERS = "controllerLeaders";
    private static final Set<String> FIELDS =
            Set.of("apiVersion", "kind", "leaderName", "resourceLock", CONTROLLER_LEADERS);
    private static final Set<String> LEADER_FIELDS = Set.of("name", "component");

    private final Map<String, Integer> lines = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    private MigrationYaml() {}

    /**
     * What was read.
     *
     * @param configuration the configuration; only valid if there are no findings
     * @param findings the errors in it
     */
    record Document(LeaderMigrationConfiguration configuration, List<Finding> findings) {}

    /** Reads a file's text. */
    static Document read(String text) {
        MigrationYaml reader = new MigrationYaml();
        LeaderMigrationConfiguration configuration = reader.readDocument(text);
        return new Document(configuration, List.copyOf(reader.findings));
    }

    private LeaderMigrationConfiguration readDocument(String text) {
        Node root;
        try {
            root = new Yaml(new LoaderOptions()).compose(new StringReader(BareAsterisk.quote(text)));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            findings.add(notYaml(mark == null ? 0 : mark.getLine() + 1, String.valueOf(e.getProblem())));
            return empty();
        } catch (YAMLException e) {
            findings.add(notYaml(0, String.valueOf(e.getMessage())));
            return empty();
        }
        if (root == null || isNull(root)) {
            findings.add(new Finding(
                    0,
                    "",
                    null,
                    "it is empty",
                    "Write a LeaderMigrationConfiguration into it; the documentation has one to begin with."));
            return empty();
        }
        if (!(root instanceof MappingNode mapping)) {
            findings.add(notYaml(line(root), "there are no fields such as leaderName in it"));
            return empty();
        }
        LeaderMigrationConfiguration configuration = readFields(fields(mapping, "", FIELDS));
        Set<String> reported = new TreeSet<>();
        findings.forEach(finding -> reported.add(finding.place()));
        for (LeaderMigrationConfiguration.Problem problem : configuration.problems()) {
            if (!reported.contains(problem.place())) {
                findings.add(new Finding(
                        lineOf(problem.place()), problem.place(), problem.value(), problem.reason(), problem.action()));
            }
        }
        return configuration;
    }

    private static Finding notYaml(int line, String problem) {
        return new Finding(
                line,
                "",
                null,
                "it can't be read as YAML: " + problem,
                "Correct it; indent by spaces, and quote what begins with a special character.");
    }

    private static LeaderMigrationConfiguration empty() {
        return new LeaderMigrationConfiguration(null, null, null, null, List.of());
    }

    private LeaderMigrationConfiguration readFields(Map<String, Node> fields) {
        return new LeaderMigrationConfiguration(
                text(fields, "", "apiVersion"),
                text(fields, "", "kind"),
                text(fields, "", "leaderName"),
                text(fields, "", "resourceLock"),
                readLeaders(fields.get(CONTROLLER_LEADERS)));
    }

    private List<ControllerLeader> readLeaders(@Nullable Node node) {
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            findings.add(wrongType(node, CONTROLLER_LEADERS, "a list of controllers, each beginning with '- name: '"));
            return List.of();
        }
        List<ControllerLeader> leaders = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            String place = CONTROLLER_LEADERS + "[" + leaders.size() + "]";
            lines.put(place, line(item));
            String prefix = place + ".";
            if (item instanceof MappingNode mapping) {
                Map<String, Node> fields = fields(mapping, prefix, LEADER_FIELDS);
                leaders.add(new ControllerLeader(
                        orEmpty(text(fields, prefix, "name")), orEmpty(text(fields, prefix, "component"))));
            } else {
                findings.add(wrongType(item, place, "a controller with its name and its component"));
                leaders.add(new ControllerLeader("", ""));
            }
        }
        return leaders;
    }

    /** The known fields that have a value; reports errors in the others. */
    private Map<String, Node> fields(MappingNode mapping, String prefix, Set<String> known) {
        Map<String, Node> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
            int line = line(tuple.getKeyNode());
            lines.putIfAbsent(prefix + name, line);
            if (!known.contains(name)) {
                findings.add(new Finding(
                        line,
                        prefix + name,
                        describe(tuple.getValueNode()),
                        "there is no such field",
                        "Correct its name or remove it; the fields are " + String.join(", ", new TreeSet<>(known))
                                + "."));
            } else if (fields.containsKey(name)) {
                findings.add(new Finding(
                        line,
                        prefix + name,
                        describe(tuple.getValueNode()),
                        "it is there twice, also on line " + lines.get(prefix + name),
                        "Remove one of the two."));
            } else if (!isNull(tuple.getValueNode())) {
                fields.put(name, tuple.getValueNode());
            }
        }
        return fields;
    }

    private @Nullable String text(Map<String, Node> fields, String prefix, String name) {
        Node node = fields.get(name);
        if (node == null) {
            return null;
        }
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        findings.add(wrongType(node, prefix + name, "a text"));
        return null;
    }

    private static Finding wrongType(Node node, String place, String expected) {
        return new Finding(
                line(node),
                place,
                describe(node),
                "it must be " + expected,
                "Write " + place + " as " + expected + ".");
    }

    private static String describe(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        return node instanceof SequenceNode ? "[…]" : "{…}";
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static int line(Node node) {
        return node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
    }

    /** The line of a field; a field that an item lacks is reported at the item's line. */
    private int lineOf(String place) {
        int dot = place.lastIndexOf('.');
        Integer line = lines.get(place);
        return line != null ? line : dot < 0 ? 0 : lines.getOrDefault(place.substring(0, dot), 0);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
