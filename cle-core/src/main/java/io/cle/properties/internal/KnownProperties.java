package io.cle.properties.internal;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The known properties, which suggests corrections for misspelt names. Names are lists of elements; upper case, dashes and underscores are
 * ignored. Not thread-safe.
 */
public final class KnownProperties {

    /** The elements that may follow an element of a name. */
    private static final class Node {
        private final Map<String, Node> children = new LinkedHashMap<>();

        /** The node for any map key or index; {@code null} if keys are fixed. */
        private @Nullable Node anyKey;

        /** Whether this is a property itself, not only a prefix of others. */
        private boolean property;

        /** Whether every name below this one is accepted. */
        private boolean open;

        private Node anyKey() {
            Node node = anyKey == null ? new Node() : anyKey;
            anyKey = node;
            return node;
        }
    }

    private final Node root = new Node();

    /**
     * Adds the components of a record, and of nested records, under a name such as {@code cle.candidate}, or {@code cle.leases.*} for any
     * key.
     */
    public KnownProperties with(String prefix, Class<? extends Record> properties) {
        add(node(prefix), properties);
        return this;
    }

    /** Adds one property. */
    public KnownProperties with(String name) {
        node(name).property = true;
        return this;
    }

    /** Accepts all properties under a name, because others define them. */
    public KnownProperties withAllUnder(String prefix) {
        node(prefix).open = true;
        return this;
    }

    private Node node(String name) {
        Node node = root;
        for (String element : name.split("\\.")) {
            node = element.equals("*") ? node.anyKey() : node.children.computeIfAbsent(element, unused -> new Node());
        }
        return node;
    }

    private static void add(Node node, Class<?> properties) {
        for (RecordComponent component : properties.getRecordComponents()) {
            Node child = node.children.computeIfAbsent(dashed(component.getName()), unused -> new Node());
            child.property = true;
            Type value = component.getGenericType();
            boolean many = Map.class.isAssignableFrom(component.getType())
                    || Collection.class.isAssignableFrom(component.getType());
            if (many && value instanceof ParameterizedType parameterized) {
                Type[] arguments = parameterized.getActualTypeArguments();
                value = arguments[arguments.length - 1];
                child.open = !(value instanceof Class<?> type && type.isRecord());
                child = child.anyKey();
                child.property = true;
            }
            if (value instanceof Class<?> type && type.isRecord()) {
                add(child, type);
            }
        }
    }

    private static String dashed(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Returns whether a property is known. */
    public boolean contains(List<String> name) {
        Node node = root;
        for (String element : name) {
            if (node.open) {
                return true;
            }
            Node next = child(node, element);
            if (next == null) {
                return false;
            }
            node = next;
        }
        return node.property || node.open;
    }

    private static @Nullable Node child(Node node, String element) {
        return node.children.entrySet().stream()
                .filter(child -> uniform(child.getKey()).equals(uniform(element)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(node.anyKey);
    }

    private static String uniform(String element) {
        return element.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    /** Returns the property that was probably meant: each element is similar, or the last element belongs to another prefix. */
    public Optional<String> suggestion(List<String> name) {
        List<String> meant = new ArrayList<>();
        Node node = root;
        for (String element : name) {
            Node next = child(node, element);
            if (next == null) {
                Optional<String> nearest = nearest(node.children.keySet(), element);
                if (nearest.isEmpty()) {
                    // Searches below first: a misplaced property of a lease is meant for that lease, not for all
                    // leases.
                    String last = name.get(name.size() - 1);
                    String place = meant.isEmpty() ? "" : String.join(".", meant) + ".";
                    Optional<String> near = find(node, last, place);
                    return near.isPresent() ? near : find(root, last, "");
                }
                meant.add(nearest.get());
                node = Objects.requireNonNull(node.children.get(nearest.get()));
            } else {
                meant.add(element);
                node = next;
            }
        }
        return Optional.of(String.join(".", meant));
    }

    /** Returns the known text that was probably meant; empty if none is similar. */
    public static Optional<String> nearest(Collection<String> known, String written) {
        return known.stream()
                .filter(text -> distance(uniform(text), uniform(written)) <= 1 + written.length() / 5)
                .min(Comparator.comparing(text -> distance(uniform(text), uniform(written))));
    }

    private static Optional<String> find(Node node, String last, String prefix) {
        for (Map.Entry<String, Node> child : node.children.entrySet()) {
            if (child.getValue().property && uniform(child.getKey()).equals(uniform(last))) {
                return Optional.of(prefix + child.getKey());
            }
            Optional<String> deeper = find(child.getValue(), last, prefix + child.getKey() + ".");
            if (deeper.isPresent()) {
                return deeper;
            }
        }
        return Optional.empty();
    }

    /** Returns the Levenshtein distance: the number of characters to insert, delete or replace. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        Arrays.setAll(before, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int exchanged = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(exchanged, 1 + Math.min(before[j], row[j - 1]));
            }
            before = row;
        }
        return before[other.length()];
    }
}
