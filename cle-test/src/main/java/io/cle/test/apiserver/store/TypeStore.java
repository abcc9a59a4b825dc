package io.cle.test.apiserver.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** The objects, history and watches of one kind. */
final class TypeStore {

    /** The number of changes kept; older ones are compacted. */
    private static final int REMEMBERED = 10_000;

    private final NavigableMap<Key, JsonObject> objects = new TreeMap<>();
    private final Deque<Change> history = new ArrayDeque<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private long forgottenUpTo;

    TypeStore(long revision) {
        forgottenUpTo = revision;
    }

    @Nullable
    JsonObject get(String namespace, String name) {
        return objects.get(new Key(namespace, name));
    }

    /** All objects, or those of one namespace. */
    Collection<JsonObject> in(@Nullable String namespace) {
        return namespace == null
                ? objects.values()
                : objects.subMap(new Key(namespace, ""), new Key(namespace + '\0', ""))
                        .values();
    }

    /** All objects, or those of one namespace, as they were at a revision that isn't compacted. */
    Collection<JsonObject> at(long revision, @Nullable String namespace) {
        NavigableMap<Key, JsonObject> then = new TreeMap<>(objects);
        Iterator<Change> newestFirst = history.descendingIterator();
        while (newestFirst.hasNext()) {
            Change change = newestFirst.next();
            if (change.revision <= revision) {
                break;
            }
            if (change.previous == null) {
                then.remove(change.key);
            } else {
                then.put(change.key, change.previous);
            }
        }
        return then.values().stream()
                .filter(object -> namespace == null || namespace.equals(Metadata.namespace(object)))
                .toList();
    }

    void put(JsonObject object, @Nullable JsonObject previous, long revision) {
        Key key = Key.of(object);
        objects.put(key, object);
        happened(new Change(revision, key, object, previous, false));
    }

    void remove(JsonObject lastSeen, JsonObject previous, long revision) {
        Key key = Key.of(lastSeen);
        objects.remove(key);
        happened(new Change(revision, key, lastSeen, previous, true));
    }

    void forget(long revision) {
        history.clear();
        forgottenUpTo = revision;
    }

    /** Replaces all objects without notifying watches. */
    void restore(List<JsonObject> present, long revision) {
        objects.clear();
        present.forEach(object -> objects.put(Key.of(object), object));
        forget(revision);
    }

    long forgottenUpTo() {
        return forgottenUpTo;
    }

    OpenWatch watch(
            @Nullable String namespace, long from, Predicate<JsonObject> selector, Consumer<ObjectChange> listener) {
        Watcher watcher = new Watcher(namespace, from, selector, listener);
        for (Change change : history) {
            watcher.tell(change);
        }
        watchers.add(watcher);
        return () -> {
            watcher.closed = true;
            watchers.remove(watcher);
        };
    }

    private void happened(Change change) {
        history.addLast(change);
        if (history.size() > REMEMBERED) {
            forgottenUpTo = history.removeFirst().revision;
        }
        for (Watcher watcher : watchers.toArray(Watcher[]::new)) {
            watcher.tell(change);
        }
    }

    private record Key(String namespace, String name) implements Comparable<Key> {
        static Key of(JsonObject object) {
            JsonObject metadata = Metadata.of(object);
            return new Key(Metadata.text(metadata, "namespace"), Metadata.text(metadata, "name"));
        }

        @Override
        public int compareTo(Key other) {
            int byNamespace = namespace.compareTo(other.namespace);
            return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
        }
    }

    private record Change(
            long revision,
            Key key,
            JsonObject object,
            @Nullable JsonObject previous,
            boolean deleted) {}

    private static final class Watcher {
        private final @Nullable String namespace;
        private final long from;
        private final Predicate<JsonObject> selector;
        private final Consumer<ObjectChange> listener;
        private boolean closed;

        Watcher(
                @Nullable String namespace,
                long from,
                Predicate<JsonObject> selector,
                Consumer<ObjectChange> listener) {
            this.namespace = namespace;
            this.from = from;
            this.selector = selector;
            this.listener = listener;
        }

        /** Like kube-apiserver, delivers an object that starts or stops matching as added or deleted. */
        void tell(Change change) {
            if (closed || change.revision <= from || (namespace != null && !namespace.equals(change.key.namespace))) {
                return;
            }
            boolean matched = change.previous != null && selector.test(change.previous);
            boolean matches = !change.deleted && selector.test(change.object);
            if (matches) {
                listener.accept(new ObjectChange(
                        matched ? ObjectChange.Type.MODIFIED : ObjectChange.Type.ADDED, change.object));
            } else if (matched) {
                listener.accept(new ObjectChange(ObjectChange.Type.DELETED, lastMatching(change)));
            }
        }

        private static JsonObject lastMatching(Change change) {
            if (change.deleted || change.previous == null) {
                return change.object;
            }
            JsonObject previous = change.previous.deepCopy();
            Metadata.ensure(previous).addProperty("resourceVersion", Metadata.resourceVersion(change.object));
            return previous;
        }
    }
}
