package io.cle.kubernetes;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watches of single objects that a process has open, beside what the answers to its requests show: so that a watch that has fallen
 * silent is found out by whoever writes what it should have told of. Confined to the event loop.
 */
final class OwnWatches {

    private static final Logger log = LoggerFactory.getLogger(OwnWatches.class);

    private final List<Reflector<?>> reflectors = new ArrayList<>();

    void opened(Reflector<?> reflector) {
        reflectors.add(reflector);
    }

    void closed(Reflector<?> reflector) {
        reflectors.remove(reflector);
    }

    /** An answer has shown an object. */
    void shown(ResourceType resource, JsonObject object) {
        try {
            String version = ObjectCodec.versionOf(object);
            if (version != null) {
                for (Reflector<?> reflector : List.copyOf(reflectors)) {
                    reflector.shown(resource, ObjectCodec.keyOf(object), version);
                }
            }
        } catch (MalformedObjectException e) {
            log.debug("An answer about {} says nothing of a version: {}", resource, e.getMessage());
        }
    }
}
