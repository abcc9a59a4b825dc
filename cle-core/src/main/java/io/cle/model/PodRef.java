package io.cle.model;

import org.jspecify.annotations.Nullable;

/**
 * The pod that a candidate runs in, from its owner reference.
 *
 * @param key the pod's namespace and name
 * @param uid the pod's uid, which differs between pods of the same name
 * @param container the name of the container that the candidate runs in; {@code null} if unknown
 */
public record PodRef(ObjectKey key, String uid, @Nullable String container) {

    /** Creates a reference to a pod whose container is unknown. */
    public PodRef(ObjectKey key, String uid) {
        this(key, uid, null);
    }

    /**
     * Returns the form in which the holder records its pod on the Lease: {@code <uid>} or {@code <uid>/<container>}. Neither a uid nor a
     * container's name contains a slash.
     */
    public String onLease() {
        return container == null ? uid : uid + "/" + container;
    }
}
