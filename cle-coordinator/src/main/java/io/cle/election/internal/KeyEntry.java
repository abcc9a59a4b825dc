package io.cle.election.internal;

import java.util.NavigableMap;
import java.util.TreeMap;

import io.cle.election.internal.shards.KeyOwnership;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One key, and the family of leases that owns it. The owner is discarded whenever an observed lease of the key contradicts it, or one may have been
 * missed. Confined to the event loop. Rule: {@code safety.md#one-owner-of-each-key}.
 */
final class KeyEntry {

    private final ObjectKey key;
    private int owner = KeyOwnership.NOBODY;
    private int doubts;
    private String reason = "the owner of its keys has not been read yet";

    /** Until when the owner can't be determined, in monotonic nanoseconds; {@code null} if it can. */
    private @Nullable Long nextCheck;

    /** The groups of its shards, by their number. */
    private final NavigableMap<Integer, GroupEntry> families = new TreeMap<>();

    KeyEntry(ObjectKey key) {
        this.key = key;
    }

    ObjectKey key() {
        return key;
    }

    NavigableMap<Integer, GroupEntry> families() {
        return families;
    }

    /** Returns the family whose leases may be granted, because those of all others are closed; {@link KeyOwnership#NOBODY} if none is known. */
    int owner() {
        return owner;
    }

    /** Records the owner after every lease of the key was read and those of other families are closed. */
    void owned(int family, String why) {
        owner = family;
        reason = why;
        nextCheck = null;
    }

    /** Notes that no family can be granted a lease now. */
    void blocked(String why, long until) {
        owner = KeyOwnership.NOBODY;
        reason = why;
        nextCheck = until;
    }

    /** Records that the owner couldn't be determined because a request has failed. */
    void failed(String why) {
        doubt();
        reason = why;
    }

    /** Discards the owner, because another family may own the key by now. */
    void doubt() {
        owner = KeyOwnership.NOBODY;
        doubts++;
        nextCheck = null;
    }

    /** Returns how often the owner was discarded. */
    int doubts() {
        return doubts;
    }

    /** Returns whether the owner can't be determined yet. */
    boolean waits(Moment now) {
        return nextCheck != null && !now.reached(nextCheck);
    }

    /** Returns why the key has this owner or none, for display. */
    String reason() {
        return reason;
    }

    /** Returns a description of a family. */
    String describe(int family) {
        return family == KeyOwnership.PLAIN ? "the lease " + key + " without shards" : family + " shards of " + key;
    }
}
