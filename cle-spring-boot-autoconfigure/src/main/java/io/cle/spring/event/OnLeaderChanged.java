package io.cle.spring.event;

import org.jspecify.annotations.Nullable;

/**
 * A lease has another holder; published on replicas that don't lead too. To be the holder is not yet to lead
 * (safety.md#write-starts-term): {@link OnGrantedLeadership} says that, and comes before this event if it is this process that begins
 * to lead.
 *
 * @param lease the name of the lease in this application
 * @param holder the identity of the holder; {@code null} if there is none
 * @param identity the identity of this process for the lease
 */
public record OnLeaderChanged(String lease, @Nullable String holder, String identity) {

    /** Whether this process is the holder. */
    public boolean isSelf() {
        return identity.equals(holder);
    }
}
