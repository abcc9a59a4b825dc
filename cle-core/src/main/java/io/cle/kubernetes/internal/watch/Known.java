package io.cle.kubernetes.internal.watch;

import java.util.HashMap;
import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.model.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a watch knows, in which versions, so that what comes twice or too late is dropped. Where versions are
 * no numbers, only equal ones count as the same.
 */
final class Known {

    private final Map<ObjectKey, String> versions = new HashMap<>();
    private String position = "";

    /** Begins anew, at the version of a list. */
    void reset(String listVersion) {
        versions.clear();
        position = listVersion;
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
                advance(version);
            }
        }
        return !older;
    }

    private static boolean notAfter(String version, String other) {
        return version.equals(other) || ResourceVersions.older(version, other);
    }
}
