package io.cle.model.internal;

import org.jspecify.annotations.Nullable;

/**
 * Order of resourceVersions. Kubernetes promises since 1.35 (KEP-5504) that those of one resource compare as decimal
 * numbers, and etcd has made them so always.
 */
public final class ResourceVersions {

    private ResourceVersions() {}

    /** Whether the left one is known to be older than the right one; false where either is unknown or not a number. */
    public static boolean older(@Nullable String left, @Nullable String right) {
        if (left == null || right == null || !isNumber(left) || !isNumber(right)) {
            return false;
        }
        return left.length() != right.length() ? left.length() < right.length() : left.compareTo(right) < 0;
    }

    /**
     * The number, for a fencing token ({@code safety.md#fencing-token}).
     *
     * @throws IllegalArgumentException when it isn't one, as no API server has them
     */
    public static long toNumber(@Nullable String resourceVersion) {
        if (resourceVersion == null || !isNumber(resourceVersion)) {
            throw new IllegalArgumentException("resourceVersion '" + resourceVersion + "' is not a decimal number");
        }
        return Long.parseLong(resourceVersion);
    }

    /** Whether a text is a decimal number, as the versions of all objects are that an API server serves. */
    public static boolean isNumber(@Nullable String text) {
        if (text == null) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() < 19;
    }
}
