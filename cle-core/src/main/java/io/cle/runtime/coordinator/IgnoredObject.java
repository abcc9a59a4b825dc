package io.cle.runtime.coordinator;

import io.cle.model.ObjectKey;

/**
 * An object that can't be understood. Its kind belongs to it: a candidate may be named as the lease of somebody else.
 *
 * @param kind what it should have been
 * @param key where it stands
 */
record IgnoredObject(Kind kind, ObjectKey key) {

    /** The kinds of objects that others write. */
    enum Kind {
        LEASE("Lease"),
        CANDIDATE("LeaseCandidate"),
        CONFIGURATION("LeaseConfiguration");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    static IgnoredObject lease(ObjectKey key) {
        return new IgnoredObject(Kind.LEASE, key);
    }

    static IgnoredObject candidate(ObjectKey key) {
        return new IgnoredObject(Kind.CANDIDATE, key);
    }

    static IgnoredObject configuration(ObjectKey key) {
        return new IgnoredObject(Kind.CONFIGURATION, key);
    }

    /** For a person: {@code LeaseCandidate shop/orders-7f9c}. */
    @Override
    public String toString() {
        return kind.text + " " + key;
    }
}
