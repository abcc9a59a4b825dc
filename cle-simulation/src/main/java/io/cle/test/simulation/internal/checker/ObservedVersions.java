package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.server.SimulatedServer;
import org.jspecify.annotations.Nullable;

/** The versions of objects that were delivered to a process. */
final class ObservedVersions {

    /** None. */
    static final ObservedVersions NOTHING = new ObservedVersions(version -> false);

    /** Which versions are records of the lease that the process hasn't written. */
    private final LongPredicate records;

    private final BitSet versions = new BitSet();

    /** The versions of {@link #objects}. */
    private final BitSet seen = new BitSet();

    /** One object for each version that was seen. They are read only where two processes lead, or etcd is restored. */
    private final List<JsonObject> objects = new ArrayList<>();

    /** The term of the lease that was there when the process wanted to create it, until it sees a record that it hasn't written. */
    private @Nullable String refusedFor;

    /**
     * Nothing has been delivered yet.
     *
     * @param records which versions are records of the lease that the process hasn't written
     */
    ObservedVersions(LongPredicate records) {
        this.records = records;
    }

    /** Records that a creation of the lease was refused, because the lease exists and shows a term. */
    void refusedFor(String term) {
        refusedFor = term;
    }

    /**
     * Adds an object, or all of a list.
     *
     * @param isObserved whether the process certainly handles it; a lock that is being stopped may have closed the reflector that sent the request
     */
    void add(JsonObject object, boolean isObserved) {
        if (object.get("items") instanceof JsonArray items) {
            items.forEach(item -> addOne(item.getAsJsonObject(), isObserved));
        } else {
            addOne(object, isObserved);
        }
    }

    private void addOne(JsonObject object, boolean isObserved) {
        long version = Metadata.version(object);
        if (refusedFor != null && records.test(version)) {
            refusedFor = null;
        }
        if (version > 0) {
            versions.set(index(version));
            if (isObserved && !seen.get(index(version))) {
                seen.set(index(version));
                objects.add(object);
            }
        }
    }

    /** The versions of a lease that have a holder. */
    LongStream ofLease(String name) {
        return objects.stream()
                .filter(object -> name.equals(Metadata.name(object))
                        && Metadata.child(object, "spec").has("holderIdentity"))
                .mapToLong(Metadata::version);
    }

    /** Whether a record of this term was delivered as its leader wrote it, or its lease kept the process from creating one. */
    boolean hasTerm(@Nullable String term) {
        return term != null && (term.equals(refusedFor) || delivered(term));
    }

    private boolean delivered(String term) {
        return objects.stream()
                .map(object -> Metadata.child(Metadata.of(object), "annotations"))
                .anyMatch(annotations ->
                        term.equals(LeaseView.termOf(annotations)) && !LeaseView.termIsEdited(annotations));
    }

    /** A snapshot of what has been delivered so far. */
    ObservedVersions soFar() {
        ObservedVersions copy = new ObservedVersions(records);
        copy.versions.or(versions);
        copy.seen.or(seen);
        copy.objects.addAll(objects);
        copy.refusedFor = refusedFor;
        return copy;
    }

    boolean has(long version) {
        return version > SimulatedServer.VERSIONS_BEFORE && versions.get(index(version));
    }

    private static int index(long version) {
        return Math.toIntExact(version - SimulatedServer.VERSIONS_BEFORE);
    }
}
