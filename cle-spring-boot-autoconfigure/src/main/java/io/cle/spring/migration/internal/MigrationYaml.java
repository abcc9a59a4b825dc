package io.cle.spring.migration.internal;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.cle.ConfigurationProblem;
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

    /** An asterisk that is the whole value of a {@code component}: a comment, or the end of the line or of the item, follows. */
    private static final Pattern BARE_ASTERISK =
            Pattern.compile("(?<![\\w.-])(component\\h*:\\h+)\\*(?=\\h*(?:$|\\h#|[,}]))", Pattern.MULTILINE);

    private final Map<String, Integer> lines = new HashMap<>();
    /** The fields with an error, as KEP-2436 writes them. */
    private final Set<String> reported = new HashSet<>();

    private final String file;
    private final Collection<ConfigurationProblem> problems;

    private MigrationYaml(String file, Collection<ConfigurationProblem> problems) {
        this.file = file;
        this.problems = problems;
    }

    /**
     * Reads a file's text.
     *
     * @param file its name, for messages
     * @param problems receives the errors
     * @return the configuration; only valid if there are no errors
     */
    static LeaderMigrationConfiguration read(String file, String text, Collection<ConfigurationProblem> problems) {
        return new MigrationYaml(file, problems).readDocument(text);
    }

    /**
     * Reports an error.
     *
     * @param line its line, counted from 1; 0 if it has none, because something is missing
     * @param place the field, as KEP-2436 writes it; empty if the text isn't YAML at all
     * @param value the field's value; {@code null} if there is none
     * @param reason what is wrong; continues the sentence that place and value begin
     * @param action what to do instead, in a sentence
     */
    private void report(int line, String place, @Nullable String value, String reason, String action) {
        reported.add(place);
        String at = line == 0 ? "" : "line " + line + ": ";
        String field = place.isEmpty() ? "" : place + (value == null ? " is not written: " : " = '" + value + "': ");
        problems.add(new ConfigurationProblem(MigrationPlanResolver.CONFIG_FILE, file, at + field + reason, action));
    }

    private LeaderMigrationConfiguration readDocument(String text) {
        Node root;
        try {
            root = new Yaml(new LoaderOptions()).compose(new StringReader(quoteAsterisks(text)));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            reportNotYaml(mark == null ? 0 : mark.getLine() + 1, String.valueOf(e.getProblem()));
            return empty();
        } catch (YAMLException e) {
            reportNotYaml(0, String.valueOf(e.getMessage()));
            return empty();
        }
        if (root == null || isNull(root)) {
            report(
                    0,
                    "",
                    null,
                    "it is empty",
                    "Write a LeaderMigrationConfiguration into it; the documentation has one to begin with.");
            return empty();
        }
        if (!(root instanceof MappingNode mapping)) {
            reportNotYaml(line(root), "there are no fields such as leaderName in it");
            return empty();
        }
        LeaderMigrationConfiguration configuration = readFields(fields(mapping, "", FIELDS));
        for (LeaderMigrationConfiguration.Problem problem : configuration.problems()) {
            if (!reported.contains(problem.place())) {
                report(lineOf(problem.place()), problem.place(), problem.value(), problem.reason(), problem.action());
            }
        }
        return configuration;
    }

    /**
     * Quotes the asterisks that mean any component: KEP-2436 writes {@code component: *}, but in YAML a bare asterisk begins an alias, which
     * parsers reject. All lines keep their numbers.
     */
    static String quoteAsterisks(String yaml) {
        return BARE_ASTERISK.matcher(yaml).replaceAll("$1'*'");
    }

    private void reportNotYaml(int line, String problem) {
        report(
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
            reportWrongType(node, CONTROLLER_LEADERS, "a list of controllers, each beginning with '- name: '");
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
                reportWrongType(item, place, "a controller with its name and its component");
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
                report(
                        line,
                        prefix + name,
                        describe(tuple.getValueNode()),
                        "there is no such field",
                        "Correct its name or remove it; the fields are " + String.join(", ", new TreeSet<>(known))
                                + ".");
            } else if (fields.containsKey(name)) {
                report(
                        line,
                        prefix + name,
                        describe(tuple.getValueNode()),
                        "it is there twice, also on line " + lines.get(prefix + name),
                        "Remove one of the two.");
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
        reportWrongType(node, prefix + name, "a text");
        return null;
    }

    private void reportWrongType(Node node, String place, String expected) {
        report(line(node), place, describe(node), "it must be " + expected, "Write " + place + " as " + expected + ".");
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
