package io.cle.test.simulation.internal.checker;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.simulation.internal.server.ObjectSummary;
import org.jspecify.annotations.Nullable;

/** The versions of objects that were delivered to a process. */
final class ObservedVersions {

    /** None. */
    static final ObservedVersions NOTHING = new ObservedVersions();

    private final BitSet versions = new BitSet();
    private final Map<String, BitSet> ofLeases = new HashMap<>();
    private final Set<String> terms = new HashSet<>();

    /** Adds an object, or all of a list. */
    void add(JsonObject object) {
        if (object.get("items") instanceof JsonArray items) {
            items.forEach(item -> addOne(item.getAsJsonObject()));
        } else {
            addOne(object);
        }
    }

    private void addOne(JsonObject object) {
        JsonObject metadata = ObjectSummary.child(object, "metadata");
        JsonElement text = metadata.get("resourceVersion");
        int version = text == null ? 0 : text.getAsInt();
        if (version > 0 && !versions.get(version)) {
            versions.set(version);
            JsonElement term = ObjectSummary.child(metadata, "annotations").get("coordination.cle.io/term");
            if (term != null && term.isJsonPrimitive()) {
                terms.add(term.getAsString());
            }
            if (ObjectSummary.child(object, "spec").has("holderIdentity")) {
                ofLeases.computeIfAbsent(metadata.get("name").getAsString(), unused -> new BitSet())
                        .set(version);
            }
        }
    }

    /** The versions of a lease with a holder among them. */
    BitSet ofLease(String name) {
        return ofLeases.getOrDefault(name, new BitSet());
    }

    /** Whether a record with this term annotation was delivered. */
    boolean hasTerm(@Nullable String annotation) {
        return annotation != null && terms.contains(annotation);
    }

    boolean has(long version) {
        return versions.get(Math.toIntExact(version));
    }
}
