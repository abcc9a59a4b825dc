package io.cle.test.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * Preconditions of a deletion.
 *
 * @param uid the uid that it must have, null for any
 * @param resourceVersion the resourceVersion that it must have, null for any
 */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {

    /** No preconditions. */
    public static final Preconditions NONE = new Preconditions(null, null);
}
