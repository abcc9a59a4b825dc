package io.cle.spring.event;

import java.util.Optional;

import io.cle.RevokeReason;
import io.cle.Shard;
import io.cle.Term;

/**
 * Published when this process no longer leads; {@code isLeader()} already returns false. The lease is handed over when the listeners have
 * returned, or when the drain timeout is over (safety.md#drain-before-release).
 *
 * @param lease the name of the lease in this application; of a shard, {@code <name>-<shards>-<index>}
 * @param term the term that has ended
 * @param reason why it has ended
 */
public record OnRevokedLeadership(String lease, Term term, RevokeReason reason) {

    /** Returns the shard; empty if the lease has no shards. */
    public Optional<Shard> shard() {
        return term.shard();
    }

    /** Returns the identity under which this process led. */
    public String identity() {
        return term.identity();
    }

    /** Returns the fencing token of the term that has ended. */
    public long fencingToken() {
        return term.fencingToken();
    }
}
