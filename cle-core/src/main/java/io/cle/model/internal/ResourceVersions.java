package io.cle.model.internal;

import org.jspecify.annotations.Nullable;

/**
 * Order of resourceVersions. Kubernetes promises since 1.35 (KEP-5504) that those of one resource compare as decimal numbers of any length
 * without leading zeros, and etcd has always made them so. Other storages count in nanoseconds, so that their versions have 19 digits.
 */
public final class ResourceVersions {

    /** The largest version that can be a fencing token, which users get as a {@code long} ({@code safety.md#fencing-token}). */
    private static final String LARGEST_TOKEN = Long.toString(Long.MAX_VALUE);

    private ResourceVersions() {}

    /** Whether the left one is known to be older than the right one; false where either is unknown or not a number. */
    public static boolean older(@Nullable String left, @Nullable String right) {
        if (left == null || right == null || !isNumber(left) || !isNumber(right)) {
            return false;
        }
        return left.length() != right.length() ? left.length() < right.length() : left.compareTo(right) < 0;
    }

    /** Whether a version can be the fencing token of a term that begins with it. */
    public static boolean isToken(@Nullable String resourceVersion) {
        return isNumber(resourceVersion) && !older(LARGEST_TOKEN, resourceVersion);
    }

    /**
     * The version as a fencing token ({@code safety.md#fencing-token}).
     *
     * @throws IllegalArgumentException if it isn't a number, or is too large; codecs let no such Lease pass
     */
    public static long toNumber(@Nullable String resourceVersion) {
        if (resourceVersion == null || !isToken(resourceVersion)) {
            throw new IllegalArgumentException(
                    "resourceVersion '" + resourceVersion + "' is not a decimal number up to " + LARGEST_TOKEN);
        }
        return Long.parseLong(resourceVersion);
    }

    /**
     * Whether a text is a decimal number, as the versions of all objects are that an API server serves. A number with leading zeros is none, as
     * for Kubernetes' own comparison: it could be written in several ways, and versions are compared as texts, too.
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
