package io.cle.test.apiserver.store;

import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Objects of all kinds under one resourceVersion, as in kube-apiserver's etcd. Versions are counted as {@code long}. A
 * store that starts with a larger version adds an offset, because other storages' versions don't fit into a {@code long}.
 *
 * <p>The store owns the objects passed to it; those that it returns are shared and must not be changed. Not thread-safe:
 * callers on several threads need a lock. Watches are notified inside the call that makes the change, before it returns.
 */
public final class ObjectStore {

    /** The initial version: like a real server, a fresh one already has some history. */
    public static final long FIRST_RESOURCE_VERSION = 1000;

    /** Fields that an update keeps. */
    private static final List<String> KEPT = List.of("uid", "creationTimestamp", "resourceVersion");

    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private final Supplier<Instant> wallClock;
    private final Supplier<String> uids;

    /** The offset from counted versions to those that clients see. */
    private final BigInteger ahead;

    private final Map<GroupResource, TypeStore> typeStores = new LinkedHashMap<>();
    private long revision = FIRST_RESOURCE_VERSION;
    private long compactedAt = FIRST_RESOURCE_VERSION;

    /**
     * An empty store.
     *
     * @param wallClock for {@code creationTimestamp}
     * @param uids returns a new uid per call, from which suffixes for {@code generateName} are also made
     */
    public ObjectStore(Supplier<Instant> wallClock, Supplier<String> uids) {
        this(wallClock, uids, BigInteger.valueOf(FIRST_RESOURCE_VERSION));
    }

    /**
     * An empty store with versions of any number of digits.
     *
     * @param before the version before the first write
     */
    public ObjectStore(Supplier<Instant> wallClock, Supplier<String> uids, BigInteger before) {
        this.ahead = before.subtract(BigInteger.valueOf(FIRST_RESOURCE_VERSION));
        this.wallClock = Objects.requireNonNull(wallClock, "wallClock");
        this.uids = Objects.requireNonNull(uids, "uids");
    }

    /** The resourceVersion of the last write to anything. */
    public long resourceVersion() {
        return revision;
    }

    /** A version as clients see it. */
    public String text(long version) {
        return ahead.signum() == 0
                ? Long.toString(version)
                : BigInteger.valueOf(version).add(ahead).toString();
    }

    /**
     * The inverse of {@link #text}: 0 stays 0; versions before the first one become 1, which is compacted.
     *
     * @throws NumberFormatException if it is no number
     */
    public long number(String version) {
        BigInteger number = new BigInteger(version);
        if (number.signum() < 0) {
            throw new NumberFormatException("below zero: " + version);
        }
        return number.signum() == 0
                ? 0
                : number.subtract(ahead)
                        .max(BigInteger.ONE)
                        .min(BigInteger.valueOf(Long.MAX_VALUE))
                        .longValueExact();
    }

    /** Returns the object, or null. The namespace of a cluster-scoped object is empty. */
    public @Nullable JsonObject get(GroupResource type, String namespace, String name) {
        return typeStore(type).get(namespace, name);
    }

    /**
     * The objects of one kind.
     *
     * @param namespace null for all of them
     */
    public Listing list(GroupResource type, @Nullable String namespace, Predicate<JsonObject> selector) {
        List<JsonObject> items = new ArrayList<>();
        for (JsonObject object : typeStore(type).in(namespace)) {
            if (selector.test(object)) {
                items.add(object);
            }
        }
        return new Listing(revision, items);
    }

    /**
     * The objects of one kind as they were at an earlier resourceVersion, for a list that is read in pages.
     *
     * @param namespace null for all of them
     * @throws ApiFailure 410 {@code Expired} if the changes since then are compacted
     */
    public Listing listAt(
            GroupResource type, @Nullable String namespace, Predicate<JsonObject> selector, long resourceVersion) {
        TypeStore typeStore = typeStore(type);
        if (resourceVersion < typeStore.forgottenUpTo()) {
            throw ApiFailure.expired(
                    "The provided continue parameter is too old to display a consistent list result. You can"
                            + " start a new list without the continue parameter.");
        }
        List<JsonObject> items = typeStore.at(resourceVersion, namespace).stream()
                .filter(selector)
                .toList();
        return new Listing(resourceVersion, items);
    }

    /**
     * Adds an object and sets its uid, creationTimestamp and resourceVersion, and its name if it only has a {@code generateName}.
     *
     * @throws ApiFailure 409 {@code AlreadyExists}
     */
    public JsonObject create(GroupResource type, JsonObject object) {
        JsonObject metadata = Metadata.ensure(object);
        String uid = uids.get();
        if (Metadata.name(object).isEmpty()) {
            metadata.addProperty("name", Metadata.string(metadata, "generateName") + suffix(uid));
        }
        TypeStore typeStore = typeStore(type);
        if (typeStore.get(Metadata.namespace(object), Metadata.name(object)) != null) {
            throw ApiFailure.alreadyExists(type.group(), type.resource(), Metadata.name(object));
        }
        metadata.addProperty("uid", uid);
        metadata.addProperty(
                "creationTimestamp",
                wallClock.get().truncatedTo(ChronoUnit.SECONDS).toString());
        return put(typeStore, object, null);
    }

    /**
     * Replaces an object, but keeps uid and creationTimestamp. If nothing changes, the resourceVersion stays the same.
     *
     * @param present the result of {@link #present}
     * @return the stored object
     */
    public JsonObject update(GroupResource type, JsonObject object, JsonObject present) {
        TypeStore typeStore = typeStore(type);
        JsonObject metadata = Metadata.ensure(object);
        JsonObject before = Metadata.of(present);
        for (String kept : KEPT) {
            JsonElement value = before.get(kept);
            if (value != null) {
                metadata.add(kept, value);
            } else {
                metadata.remove(kept);
            }
        }
        return object.equals(present) ? present : put(typeStore, object, present);
    }

    /**
     * Returns the current state of an object that is to be replaced.
     *
     * @param object the new state; its uid and resourceVersion, if any, must be the current ones
     * @throws ApiFailure 404, or 409 {@code Conflict}
     */
    public JsonObject present(GroupResource type, JsonObject object) {
        JsonObject metadata = Metadata.of(object);
        String name = Metadata.text(metadata, "name");
        JsonObject present = typeStore(type).get(Metadata.text(metadata, "namespace"), name);
        String expectedUid = Metadata.string(metadata, "uid");
        if (present == null) {
            if (expectedUid != null) {
                throw uidConflict(type, object, expectedUid, "");
            }
            throw ApiFailure.notFound(type.group(), type.resource(), name);
        }
        if (expectedUid != null && !expectedUid.equals(Metadata.uid(present))) {
            throw uidConflict(type, object, expectedUid, String.valueOf(Metadata.uid(present)));
        }
        String expected = Metadata.resourceVersion(object);
        if (expected != null && !expected.equals(Metadata.resourceVersion(present))) {
            throw ApiFailure.conflict(type.group(), type.resource(), name);
        }
        return present;
    }

    /**
     * Deletes an object.
     *
     * @return the last state, with the resourceVersion of the deletion
     */
    public JsonObject delete(GroupResource type, JsonObject present) {
        JsonObject last = present.deepCopy();
        revision++;
        Metadata.ensure(last).addProperty("resourceVersion", text(revision));
        typeStore(type).remove(last, present, revision);
        return last;
    }

    /**
     * Returns the object if it exists and meets the preconditions.
     *
     * @throws ApiFailure 404, or 409 {@code Conflict}
     */
    public JsonObject require(
            GroupResource type, String kind, String namespace, String name, Preconditions preconditions) {
        JsonObject present = get(type, namespace, name);
        if (present == null) {
            throw ApiFailure.notFound(type.group(), type.resource(), name);
        }
        String uid = String.valueOf(Metadata.uid(present));
        if (preconditions.uid() != null && !preconditions.uid().equals(uid)) {
            throw ApiFailure.conflict(
                    type.group(),
                    kind,
                    name,
                    "the UID in the precondition (" + preconditions.uid() + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        }
        String version = String.valueOf(Metadata.resourceVersion(present));
        if (preconditions.resourceVersion() != null
                && !preconditions.resourceVersion().equals(version)) {
            throw ApiFailure.conflict(
                    type.group(),
                    kind,
                    name,
                    "the ResourceVersion in the precondition (" + preconditions.resourceVersion()
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        }
        return present;
    }

    /**
     * Notifies a listener of every change to matching objects after {@code from}, in order.
     *
     * @param namespace null for all of them
     * @param from the resourceVersion to resume from; null or 0 to deliver the current objects as {@code ADDED} first
     * @param listener called from inside the write; must not write to this store itself
     * @throws ApiFailure 410 {@code Expired} if the changes after {@code from} are compacted
     */
    public OpenWatch watch(
            GroupResource type,
            @Nullable String namespace,
            @Nullable Long from,
            Predicate<JsonObject> selector,
            Consumer<ObjectChange> listener) {
        TypeStore typeStore = typeStore(type);
        if (from == null || from == 0) {
            for (JsonObject object : list(type, namespace, selector).items()) {
                listener.accept(new ObjectChange(ObjectChange.Type.ADDED, object));
            }
            return typeStore.watch(namespace, revision, selector, listener);
        }
        if (from < typeStore.forgottenUpTo()) {
            throw ApiFailure.expired(
                    "too old resource version: " + text(from) + " (" + text(typeStore.forgottenUpTo()) + ")");
        }
        return typeStore.watch(namespace, from, selector, listener);
    }

    /** Discards the history. Open watches continue; new ones from an older resourceVersion fail with 410. */
    public void compact() {
        // As in a real cluster, where writes never stop, a list read just before is too old afterwards.
        revision++;
        compactedAt = revision;
        typeStores.values().forEach(typeStore -> typeStore.forget(revision));
    }

    /** Returns all current objects, as in a backup of etcd. */
    public Backup backUp() {
        Map<GroupResource, List<JsonObject>> objects = new LinkedHashMap<>();
        typeStores.forEach((type, typeStore) -> objects.put(type, List.copyOf(typeStore.in(null))));
        return new Backup(revision, objects);
    }

    /**
     * Restores a backup, as etcd does without {@code --bump-revision}: later writes are lost, the history is
     * discarded, and resourceVersions continue from the backup's. Open watches are not notified, and continue with
     * later writes; a real server would have to be restarted.
     */
    public void restore(Backup backup) {
        revision = backup.revision();
        compactedAt = revision;
        typeStores.forEach((type, typeStore) ->
                typeStore.restore(backup.objects().getOrDefault(type, List.of()), backup.revision()));
    }

    /** Skips resourceVersions, as writes to other objects do. */
    public void skip(long resourceVersions) {
        revision += resourceVersions;
    }

    /**
     * A state of the store. Immutable.
     *
     * @param revision its resourceVersion
     * @param objects all objects, by their kinds
     */
    public record Backup(long revision, Map<GroupResource, List<JsonObject>> objects) {}

    private TypeStore typeStore(GroupResource type) {
        // computeIfAbsent would allocate a lambda per request, although the kind is nearly always known.
        TypeStore known = typeStores.get(type);
        if (known != null) {
            return known;
        }
        TypeStore empty = new TypeStore(compactedAt);
        typeStores.put(type, empty);
        return empty;
    }

    private JsonObject put(TypeStore typeStore, JsonObject object, @Nullable JsonObject previous) {
        revision++;
        Metadata.ensure(object).addProperty("resourceVersion", text(revision));
        typeStore.put(object, previous, revision);
        return object;
    }

    private static String suffix(String uid) {
        StringBuilder suffix = new StringBuilder();
        long rest = uid.hashCode() & 0xffff_ffffL;
        for (int i = 0; i < 5; i++) {
            suffix.append(SUFFIX_LETTERS.charAt((int) (rest % SUFFIX_LETTERS.length())));
            rest /= SUFFIX_LETTERS.length();
        }
        return suffix.toString();
    }

    private static ApiFailure uidConflict(GroupResource type, JsonObject object, String expected, String present) {
        String key = "/registry/" + type.resource() + "/" + Metadata.namespace(object) + "/" + Metadata.name(object);
        return ApiFailure.conflict(
                type.group(),
                type.resource(),
                Metadata.name(object),
                "StorageError: invalid object, Code: 4, Key: " + key
                        + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
                        + expected + ", UID in object meta: " + present);
    }
}
