package io.cle.spring.event;

import org.jspecify.annotations.Nullable;

/**
 * Another one is named as the holder of a lease; published on followers too. Being named isn't leading yet (lock's rule 1): for
 * that there is {@link OnGrantedLeadership}, which comes before this event where it is this process that begins to lead.
 *
 * @param lease the name of the lease in this application
 * @param holder who is named; {@code null} when nobody is
 * @param identity under what name this process stands
 */
public record OnLeaderChanged(String lease, @Nullable String holder, String identity) {

    /** Whether it is this process that is named. */
    public boolean isSelf() {
        return identity.equals(holder);
    }
}
