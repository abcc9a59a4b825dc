package io.cle.kubernetes.internal.watch;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.cle.model.ObjectKey;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the versions of the objects that a watch knows, so that repeated and outdated events are dropped. Versions that aren't numbers are
 * only compared for equality. Rule: {@code safety.md#new-history}.
 */
final class ResourceVersionTracker {

    private final Map<ObjectKey, String> versions = new HashMap<>();
    private String position = "";

    /** Versions in answers to this process's own requests that the watch hasn't reported yet. */
    private final Map<ObjectKey, String> answered = new HashMap<>();

    /** These versions at the time when the list in progress was requested; the list must not be older. */
    private final Map<ObjectKey, String> answeredBefore = new HashMap<>();

    /** Starts over at the version of a list. */
    void reset(String listVersion) {
        versions.clear();
        answeredBefore.clear();
        position = listVersion;
    }

    /** Forgets all versions, because those of another history can't be compared. */
    void forget() {
        versions.clear();
        answered.clear();
        answeredBefore.clear();
        position = "";
    }

    /** Records the version in an answer. */
    void answered(ObjectKey key, String version) {
        answered.merge(key, version, ResourceVersionTracker::newest);
    }

    /** Records that a list is requested. The list must not be older than the versions known at this instant. */
    void listRequested() {
        answered.forEach((key, version) -> answeredBefore.merge(key, version, ResourceVersionTracker::newest));
        answered.clear();
    }

    /**
     * Returns evidence that a list is older than the state known when it was requested; empty if there is none. The compared lists are
     * quorum reads, which never go back in time while etcd keeps its history.
     *
     * @param listed the versions of the listed objects
     */
    Optional<String> contradiction(String listVersion, Map<ObjectKey, String> listed) {
        if (ResourceVersions.older(listVersion, position)) {
            return Optional.of("its version is " + listVersion + ", although version " + position + " was known");
        }
        for (Map.Entry<ObjectKey, String> shown : answeredBefore.entrySet()) {
            if (ResourceVersions.older(listVersion, shown.getValue())) {
                return Optional.of("its version is " + listVersion + ", although version " + shown.getValue() + " of "
                        + shown.getKey() + " was known");
            }
        }
        for (Map.Entry<ObjectKey, String> object : listed.entrySet()) {
            ObjectKey key = object.getKey();
            String known = newest(versions.getOrDefault(key, ""), answeredBefore.getOrDefault(key, ""));
            if (ResourceVersions.older(object.getValue(), known)) {
                return Optional.of(
                        "it has " + key + " in version " + object.getValue() + ", although " + known + " was known");
            }
        }
        return Optional.empty();
    }

    /** Returns whether the version in an answer is older than the version that the watch has reported of that object. */
    boolean behind(ObjectKey key, String version) {
        return ResourceVersions.older(version, versions.get(key));
    }

    /** Returns whether the version of a write is older than the watch's position. */
    boolean behind(String written) {
        return ResourceVersions.older(written, position);
    }

    /** Returns the version up to which everything is known, from which a watch resumes. Empty if there is none. */
    String position() {
        return position;
    }

    /** Records a position without an object: a bookmark. */
    void advance(String version) {
        if (position.isEmpty() || !notAfter(version, position)) {
            position = version;
        }
    }

    /** Records an object of a list. */
    void listed(ObjectKey key, @Nullable String version) {
        versions.put(key, version == null ? "" : version);
    }

    /** Records a created or changed object, and returns whether it is new. */
    boolean changed(ObjectKey key, @Nullable String version) {
        if (version == null || version.isEmpty()) {
            versions.put(key, "");
            return true;
        }
        String known = versions.get(key);
        boolean stale = known == null ? notAfter(version, position) : notAfter(version, known);
        if (!stale) {
            versions.put(key, version);
            reported(key, version);
            advance(version);
        }
        return !stale;
    }

    /** Records a deletion, and returns whether it is new. */
    boolean deleted(ObjectKey key, @Nullable String version) {
        String known = versions.get(key);
        if (known == null) {
            return false;
        }
        boolean older = version != null && !version.equals(known) && notAfter(version, known);
        if (!older) {
            versions.remove(key);
            if (version != null) {
                reported(key, version);
                advance(version);
            }
        }
        return !older;
    }

    private void reported(ObjectKey key, String version) {
        if (!ResourceVersions.older(version, answered.get(key))) {
            answered.remove(key);
        }
    }

    private static String newest(String one, String other) {
        return one.isEmpty() || ResourceVersions.older(one, other) ? other : one;
    }

    private static boolean notAfter(String version, String other) {
        return version.equals(other) || ResourceVersions.older(version, other);
    }
}
