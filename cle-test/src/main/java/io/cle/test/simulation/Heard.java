package io.cle.test.simulation;

import java.util.HashSet;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Which versions of objects a process has been told of. */
final class Heard {

    /** Of nothing. */
    static final Heard NOTHING = new Heard();

    private final Set<String> versions = new HashSet<>();
    private long newest;

    /** It's told of an object, or of a list of them. */
    void of(JsonObject object) {
        if (object.get("items") instanceof JsonArray items) {
            items.forEach(item -> ofOne(item.getAsJsonObject()));
        } else {
            ofOne(object);
        }
    }

    private void ofOne(JsonObject object) {
        JsonElement version = Words.child(object, "metadata").get("resourceVersion");
        if (version != null && versions.add(version.getAsString())) {
            newest = Math.max(newest, version.getAsLong());
        }
    }

    boolean has(String version) {
        return versions.contains(version);
    }

    /** The newest of all; 0 where there is none. */
    long newest() {
        return newest;
    }
}
