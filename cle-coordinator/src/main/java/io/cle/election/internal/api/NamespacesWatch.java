package io.cle.election.internal.api;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.cle.model.ObjectKey;
import io.cle.store.internal.WatchEvent;
import io.cle.store.internal.Watcher;

/**
 * Combines the watches of several namespaces into one. The first snapshot is delivered when each namespace has been listed once
 * (safety.md#seen-everything). Later, a snapshot of one namespace is delivered together with the known objects of the others, so that a
 * namespace that can no longer be read doesn't delay the others. A namespace that this coordinator has no right to list, such as one that was deleted
 * together with its RoleBinding, is treated as empty once another one has been listed. Runs on the event loop.
 */
public final class NamespacesWatch<T> {

    private final Function<T, ObjectKey> keyOf;
    private final Watcher<T> watcher;
    private final int namespaces;
    private final Set<String> unlisted;
    private final Map<ObjectKey, T> objects = new HashMap<>();
    private final Map<ObjectKey, WatchEvent.Malformed<T>> malformed = new HashMap<>();

    public NamespacesWatch(Collection<String> namespaces, Function<T, ObjectKey> keyOf, Watcher<T> watcher) {
        this.namespaces = namespaces.size();
        this.unlisted = new HashSet<>(namespaces);
        this.keyOf = keyOf;
        this.watcher = watcher;
    }

    /** Handles an event of one namespace's watch. */
    public void onEvent(String namespace, WatchEvent<T> event) {
        if (event instanceof WatchEvent.Snapshot<T> snapshot) {
            unlisted.remove(namespace);
            objects.keySet().removeIf(key -> key.namespace().equals(namespace));
            malformed.keySet().removeIf(key -> key.namespace().equals(namespace));
            snapshot.objects().forEach(object -> objects.put(keyOf.apply(object), object));
            if (unlisted.isEmpty()) {
                watcher.onEvent(new WatchEvent.Snapshot<>(List.copyOf(objects.values()), snapshot.newHistory()));
                List.copyOf(malformed.values()).forEach(watcher::onEvent);
            }
            return;
        }
        boolean forbidden = event instanceof WatchEvent.Interrupted<T> interrupted && interrupted.forbidden() != null;
        if (forbidden && unlisted.contains(namespace) && unlisted.size() < namespaces) {
            onEvent(namespace, new WatchEvent.Snapshot<>(List.of()));
        }
        boolean aboutObjects = true;
        if (event instanceof WatchEvent.Changed<T> changed) {
            forget(keyOf.apply(changed.object()));
            objects.put(keyOf.apply(changed.object()), changed.object());
        } else if (event instanceof WatchEvent.Removed<T> removed) {
            forget(removed.key());
        } else if (event instanceof WatchEvent.Malformed<T> unreadable) {
            forget(unreadable.key());
            malformed.put(unreadable.key(), unreadable);
        } else {
            aboutObjects = false;
        }
        if (unlisted.isEmpty() || !aboutObjects) {
            watcher.onEvent(event);
        }
    }

    private void forget(ObjectKey key) {
        objects.remove(key);
        malformed.remove(key);
    }
}
