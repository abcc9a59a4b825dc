package io.cle.test.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** The versions of objects that were delivered to a process. */
final class ObservedVersions {

    /** None. */
    static final ObservedVersions NOTHING = new ObservedVersions();

    private final Set<String> versions = new HashSet<>();
    private final Map<String, Set<Long>> ofLeases = new HashMap<>();
    private long newest;

    /** Adds an object, or all of a list. */
    void add(JsonObject object) {
        if (object.get("items") instanceof JsonArray items) {
            items.forEach(item -> addOne(item.getAsJsonObject()));
        } else {
            addOne(object);
        }
    }

    private void addOne(JsonObject object) {
        JsonElement version = ObjectSummary.child(object, "metadata").get("resourceVersion");
        if (version != null && versions.add(version.getAsString())) {
            newest = Math.max(newest, version.getAsLong());
            if (ObjectSummary.child(object, "spec").has("holderIdentity")) {
                ofLeases.computeIfAbsent(
                                ObjectSummary.child(object, "metadata")
                                        .get("name")
                                        .getAsString(),
                                unused -> new HashSet<>())
                        .add(version.getAsLong());
            }
        }
    }

    /** The versions of a lease with a holder among them. */
    Set<Long> ofLease(String name) {
        return ofLeases.getOrDefault(name, Set.of());
    }

    boolean has(String version) {
        return versions.contains(version);
    }

    /** The newest version; 0 if there is none. */
    long newest() {
        return newest;
    }
}
