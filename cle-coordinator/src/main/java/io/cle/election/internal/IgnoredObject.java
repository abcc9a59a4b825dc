package io.cle.election.internal;

import io.cle.model.ObjectKey;

/**
 * An object that doesn't count, because it is malformed or names a lease of another namespace. Its kind is part of its identity: a
 * candidate can have the name of a lease.
 *
 * @param kind what it should have been
 * @param key its namespace and name
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
