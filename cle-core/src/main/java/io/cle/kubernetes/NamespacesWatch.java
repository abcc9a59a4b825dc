package io.cle.kubernetes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.model.ObjectKey;

/**
 * Makes one watch of the watches of several namespaces. A snapshot of one of them is passed on with what is known of the others,
 * so that one that can't be read holds nobody up. Runs on the event loop.
 */
final class NamespacesWatch<T> {

    private final Function<T, ObjectKey> keyOf;
    private final Watcher<T> watcher;
    private final Map<ObjectKey, T> objects = new HashMap<>();

    NamespacesWatch(Function<T, ObjectKey> keyOf, Watcher<T> watcher) {
        this.keyOf = keyOf;
        this.watcher = watcher;
    }

    /** Takes note of an event of one namespace's watch. */
    void onEvent(String namespace, WatchEvent<T> event) {
        if (event instanceof WatchEvent.Snapshot<T> snapshot) {
            objects.keySet().removeIf(key -> key.namespace().equals(namespace));
            snapshot.objects().forEach(this::put);
            watcher.onEvent(new WatchEvent.Snapshot<>(List.copyOf(objects.values())));
            return;
        }
        if (event instanceof WatchEvent.Changed<T> changed) {
            put(changed.object());
        } else if (event instanceof WatchEvent.Removed<T> removed) {
            objects.remove(removed.key());
        } else if (event instanceof WatchEvent.Malformed<T> malformed) {
            objects.remove(malformed.key());
        }
        watcher.onEvent(event);
    }

    /** One subscription to end them all. */
    static Subscription all(List<Subscription> subscriptions) {
        List<Subscription> copy = new ArrayList<>(subscriptions);
        return () -> copy.forEach(Subscription::close);
    }

    private void put(T object) {
        objects.put(keyOf.apply(object), object);
    }
}
