package io.cle.model.internal;

import org.jspecify.annotations.Nullable;

/**
 * Compares resourceVersions. Since 1.35 (KEP-5504) Kubernetes guarantees that the versions of one resource compare as decimal numbers of
 * any length without leading zeros, as they always have with etcd. Other storage backends count in nanoseconds, so their versions have 19
 * digits.
 */
public final class ResourceVersions {

    /** The largest version that can be a fencing token, which users get as a {@code long} ({@code safety.md#fencing-token}). */
    private static final String LARGEST_TOKEN = Long.toString(Long.MAX_VALUE);

    private ResourceVersions() {}

    /** Returns whether the left version is known to be older than the right one; false if either is unknown or not a number. */
    public static boolean older(@Nullable String left, @Nullable String right) {
        if (left == null || right == null || !isNumber(left) || !isNumber(right)) {
            return false;
        }
        return left.length() != right.length() ? left.length() < right.length() : left.compareTo(right) < 0;
    }

    /** Returns whether a version can be the fencing token of a term that begins with it. */
    public static boolean isToken(@Nullable String resourceVersion) {
        return isNumber(resourceVersion) && !older(LARGEST_TOKEN, resourceVersion);
    }

    /**
     * Returns the version as a fencing token ({@code safety.md#fencing-token}).
     *
     * @throws IllegalArgumentException if it isn't a number or is too large, which codecs reject
     */
    public static long toNumber(@Nullable String resourceVersion) {
        if (resourceVersion == null || !isToken(resourceVersion)) {
            throw new IllegalArgumentException(
                    "resourceVersion '" + resourceVersion + "' is not a decimal number up to " + LARGEST_TOKEN);
        }
        return Long.parseLong(resourceVersion);
    }

    /**
     * Returns whether a text is a decimal number, as the versions of all objects of an API server are. As in Kubernetes' own comparison,
     * leading zeros are not allowed: the same number could be written in several ways, and versions are also compared as text.
     */
    public static boolean isNumber(@Nullable String text) {
        if (text == null || text.isEmpty() || text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
