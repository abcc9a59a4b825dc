package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/** The versions of objects that were delivered to a process. */
final class ObservedVersions {

    /** None. */
    static final ObservedVersions NOTHING = new ObservedVersions();

    private final BitSet versions = new BitSet();

    /** One object for each version. They are read only where two processes lead, or etcd is restored. */
    private final List<JsonObject> objects = new ArrayList<>();

    /** Adds an object, or all of a list. */
    void add(JsonObject object) {
        if (object.get("items") instanceof JsonArray items) {
            items.forEach(item -> addOne(item.getAsJsonObject()));
        } else {
            addOne(object);
        }
    }

    private void addOne(JsonObject object) {
        int version = Math.toIntExact(Metadata.version(object));
        if (version > 0 && !versions.get(version)) {
            versions.set(version);
            objects.add(object);
        }
    }

    /** The versions of a lease with a holder among them. */
    LongStream ofLease(String name) {
        return objects.stream()
                .filter(object -> name.equals(Metadata.name(object))
                        && Metadata.child(object, "spec").has("holderIdentity"))
                .mapToLong(Metadata::version);
    }

    /** Whether a record of this term was delivered. */
    boolean hasTerm(@Nullable String term) {
        return term != null
                && objects.stream()
                        .map(object -> Metadata.child(Metadata.of(object), "annotations"))
                        .anyMatch(annotations -> term.equals(LeaseView.termOf(annotations)));
    }

    boolean has(long version) {
        return versions.get(Math.toIntExact(version));
    }
}
