package io.cle.election.internal;

/**
 * What a look at the holder's pod has shown (safety.md#terminated-holder).
 *
 * @param ofRenewal the renewal that was missed when it was looked at, by {@code LeaseObservation.seenAt}; a later renewal
 *     makes the look worthless
 * @param lookedAt when it was looked at, in monotonic nanoseconds
 * @param death why the holder is known to be dead; empty when it isn't
 */
public record HolderPod(long ofRenewal, long lookedAt, String death) {

    /** Nothing was looked at. */
    public static final HolderPod NOT_LOOKED_AT = new HolderPod(Long.MIN_VALUE, Long.MIN_VALUE, "");

    /** Whether the holder is known to be dead since a renewal. */
    public boolean deadSince(long renewal) {
        return ofRenewal == renewal && !death.isEmpty();
    }
}
