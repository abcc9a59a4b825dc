package io.cle.test.simulation;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** The sizes of all maps, sets, lists and queues that an object of this project reaches, summed up by the field that holds them. */
final class Sizes {

    private final Map<String, Integer> byField = new TreeMap<>();
    private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> toVisit = new ArrayDeque<>();

    private Sizes() {}

    static Map<String, Integer> of(Object... roots) {
        Sizes sizes = new Sizes();
        for (Object root : roots) {
            sizes.visit(root);
        }
        while (!sizes.toVisit.isEmpty()) {
            sizes.fieldsOf(sizes.toVisit.remove());
        }
        return sizes.byField;
    }

    /** The test's own cluster is not inspected. */
    private static boolean ours(Class<?> type) {
        return type.getName().startsWith("io.cle.") && !type.getName().startsWith("io.cle.test.") && !type.isEnum();
    }

    private void visit(Object object) {
        if (object != null && ours(object.getClass()) && visited.add(object)) {
            toVisit.add(object);
        }
    }

    private void fieldsOf(Object object) {
        for (Class<?> type = object.getClass(); ours(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    try {
                        value(type.getSimpleName() + "." + field.getName(), field.get(object));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
    }

    private void value(String field, Object value) {
        if (value instanceof Map<?, ?> map) {
            byField.merge(field, map.size(), Integer::sum);
            map.forEach((key, item) -> {
                value(field, key);
                value(field, item);
            });
        } else if (value instanceof Collection<?> collection) {
            byField.merge(field, collection.size(), Integer::sum);
            collection.forEach(item -> value(field, item));
        } else if (value instanceof Object[] array) {
            byField.merge(field, Array.getLength(array), Integer::sum);
            for (Object item : array) {
                value(field, item);
            }
        } else if (value instanceof Optional<?> optional) {
            optional.ifPresent(item -> value(field, item));
        } else if (value instanceof AtomicReference<?> reference) {
            value(field, reference.get());
        } else {
            visit(value);
        }
    }
}
