package io.cle.test.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * What must be true of an object for a deletion to be carried out.
 *
 * @param uid the uid that it must have, null for any
 * @param resourceVersion the resourceVersion that it must have, null for any
 */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {

    /** Nothing is demanded. */
    public static final Preconditions NONE = new Preconditions(null, null);
}
