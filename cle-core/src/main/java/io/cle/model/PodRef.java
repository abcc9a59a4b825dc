package io.cle.model;

import org.jspecify.annotations.Nullable;

/**
 * The pod that a candidate runs in, as its owner reference says.
 *
 * @param key the pod's namespace and name
 * @param uid the pod's uid; another pod of the same name has another
 * @param container the name of the container that the candidate runs in; {@code null} if the candidate hasn't named it
 */
public record PodRef(ObjectKey key, String uid, @Nullable String container) {

    /** A pod of whose containers the candidate has named none. */
    public PodRef(ObjectKey key, String uid) {
        this(key, uid, null);
    }

    /**
     * What stands on the Lease of the process that holds it: {@code <uid>} or {@code <uid>/<container>}. Neither a uid nor a container's name
     * has a slash.
     */
    public String onLease() {
        return container == null ? uid : uid + "/" + container;
    }
}
