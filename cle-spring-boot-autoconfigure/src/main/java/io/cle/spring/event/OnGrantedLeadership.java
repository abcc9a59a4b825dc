package io.cle.spring.event;

import java.util.Optional;

import io.cle.Shard;
import io.cle.Term;

/**
 * Published when this process begins to lead. A listener may be called late; {@code isLeader()} returns whether the term still lasts.
 *
 * @param lease the name of the lease in this application; of a shard, {@code <name>-<shards>-<index>}
 * @param term the term that has begun
 */
public record OnGrantedLeadership(String lease, Term term) {

    /** Returns the shard; empty if the lease has no shards. */
    public Optional<Shard> shard() {
        return term.shard();
    }

    /** Returns the identity under which this process leads. */
    public String identity() {
        return term.identity();
    }

    /** Returns the fencing token. It grows from term to term; send it with every write of this term (safety.md#fencing-token). */
    public long fencingToken() {
        return term.fencingToken();
    }
}
