package io.cle.spring.event;

import java.util.Optional;

import io.cle.Shard;
import org.jspecify.annotations.Nullable;

/**
 * Published on all replicas when a lease has another holder. The holder doesn't lead yet (safety.md#write-starts-term): its term begins
 * with {@link OnGrantedLeadership}, which is published before this event if this process begins to lead.
 *
 * @param lease the name of the lease in this application; of a shard, {@code <name>-<shards>-<index>}
 * @param holder the identity of the holder; {@code null} if there is none
 * @param identity the identity of this process for the lease
 * @param shard the shard; empty if the lease has no shards
 */
public record OnLeaderChanged(String lease, @Nullable String holder, String identity, Optional<Shard> shard) {

    /** Creates the event of a lease without shards. */
    public OnLeaderChanged(String lease, @Nullable String holder, String identity) {
        this(lease, holder, identity, Optional.empty());
    }

    /** Returns whether this process is the holder. */
    public boolean isSelf() {
        return identity.equals(holder);
    }
}
