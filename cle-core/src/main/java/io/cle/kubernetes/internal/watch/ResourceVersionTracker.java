package io.cle.kubernetes.internal.watch;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.cle.model.ObjectKey;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a watch knows, in which versions, so that what comes twice or too late is dropped. Where versions are
 * no numbers, only equal ones count as the same.
 * Rule: {@code safety.md#new-history}.
 */
final class ResourceVersionTracker {

    private final Map<ObjectKey, String> versions = new HashMap<>();
    private String position = "";

    /** Versions that answers to this process's own requests have shown, and that the watch hasn't reported yet. */
    private final Map<ObjectKey, String> answered = new HashMap<>();

    /** The same, as they were when the list that is under way was requested; the list has to show them. */
    private final Map<ObjectKey, String> answeredBefore = new HashMap<>();

    /** Begins anew, at the version of a list. */
    void reset(String listVersion) {
        versions.clear();
        answeredBefore.clear();
        position = listVersion;
    }

    /** Forgets everything: the versions of another history can't be compared with those of this one. */
    void forget() {
        versions.clear();
        answered.clear();
        answeredBefore.clear();
        position = "";
    }

    /** Takes note of a version that an answer has shown. */
    void answered(ObjectKey key, String version) {
        answered.merge(key, version, ResourceVersionTracker::newest);
    }

    /** Takes note that a list is requested: it has to show all that is known at this instant. */
    void listRequested() {
        answered.forEach((key, version) -> answeredBefore.merge(key, version, ResourceVersionTracker::newest));
        answered.clear();
    }

    /**
     * What shows that a list is of an earlier state than the one that was known when it was requested; empty if nothing does. The lists that
     * are compared here are quorum reads, which never go back in time while etcd keeps its history.
     *
     * @param listed the versions of the objects in it
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

    /** Whether an answer has shown an older version than what the watch has reported of that object before. */
    boolean behind(ObjectKey key, String version) {
        return ResourceVersions.older(version, versions.get(key));
    }

    /** Whether a write has been given an older version than the watch's position. */
    boolean behind(String written) {
        return ResourceVersions.older(written, position);
    }

    /** Up to where everything is known: from there a watch resumes. Empty when nothing is. */
    String position() {
        return position;
    }

    /** Takes note of a position without an object: a bookmark. */
    void advance(String version) {
        if (position.isEmpty() || !notAfter(version, position)) {
            position = version;
        }
    }

    /** Takes note of an object that a list has. */
    void listed(ObjectKey key, @Nullable String version) {
        versions.put(key, version == null ? "" : version);
    }

    /** Whether an object was created or changed since; takes note of it. */
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

    /** Whether a known object was deleted since; takes note of it. */
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
