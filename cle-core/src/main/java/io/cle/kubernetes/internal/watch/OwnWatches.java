package io.cle.kubernetes.internal.watch;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.codec.ObjectCodec;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds watches that lag behind. The response to a write shows a version that the process's own watch of the object must report soon; a watch that
 * doesn't is stuck. Thread-safe; reflectors are called on the event loop.
 */
public final class OwnWatches {

    private static final Logger log = LoggerFactory.getLogger(OwnWatches.class);

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
    public void shown(ResourceType resource, JsonObject object, boolean written) {
        try {
            String version = ObjectCodec.versionOf(object);
            if (version != null) {
                ObjectKey key = ObjectCodec.keyOf(object);
                reflectors
                        .getOrDefault(key, Set.of())
                        .forEach(reflector -> reflector.shown(resource, key, version, written));
                ofScopes.forEach(reflector -> reflector.shownInScope(resource, key, version, written));
            }
        } catch (MalformedObjectException e) {
            log.debug("An answer about {} says nothing of a version: {}", resource, e.getMessage());
        }
    }
}
