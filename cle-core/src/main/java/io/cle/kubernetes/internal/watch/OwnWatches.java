package io.cle.kubernetes.internal.watch;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

import io.cle.kubernetes.internal.codec.ServedObject;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;

/**
 * Finds watches that lag behind. The response to a write shows a version that the process's own watch of the object must report soon; a watch that
 * doesn't is stuck. Thread-safe; reflectors are called on the event loop.
 */
public final class OwnWatches {

    private final Map<ObjectKey, Set<Reflector<?>>> reflectors = new ConcurrentHashMap<>();
    private final Set<Reflector<?>> ofScopes = new CopyOnWriteArraySet<>();

    public void opened(ObjectKey key, Reflector<?> reflector) {
        reflectors.compute(key, (unused, known) -> {
            Set<Reflector<?>> all = known == null ? new CopyOnWriteArraySet<>() : known;
            all.add(reflector);
            return all;
        });
    }

    public void closed(ObjectKey key, Reflector<?> reflector) {
        reflectors.computeIfPresent(key, (unused, known) -> {
            known.remove(reflector);
            return known.isEmpty() ? null : known;
        });
    }

    public void opened(Reflector<?> ofScope) {
        ofScopes.add(ofScope);
    }

    public void closed(Reflector<?> ofScope) {
        ofScopes.remove(ofScope);
    }

    /**
     * An answer has shown an object.
     *
     * @param written whether it answers a write, so that the version is the newest one there is
     */
    public void shown(ResourceType resource, ServedObject object, boolean written) {
        String version = object.version();
        if (version != null) {
            ObjectKey key = object.key();
            reflectors
                    .getOrDefault(key, Set.of())
                    .forEach(reflector -> reflector.shown(resource, key, version, written));
            ofScopes.forEach(reflector -> reflector.shownInScope(resource, key, version, written));
        }
    }
}
