package io.cle.test.simulation.internal.cluster;

import io.cle.Term;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.test.simulation.internal.process.VirtualProcess;
import org.jspecify.annotations.Nullable;

/** A process that can lead, as the checker sees it. */
public abstract class Contender {

    private final ObjectKey lease;
    private final String identity;
    private final VirtualProcess process;

    /** The term whose beginning listeners know of, until they learn of its end. */
    @Nullable
    public Term granted;

    /** The term whose work runs, from the call that granted it to the end of the work. */
    @Nullable
    public Term work;

    /** When the checker first saw that it does not lead any more, by the process's clock; null while it leads. */
    @Nullable
    public Long endedAt;

    /** The token of the last term that the checker saw. */
    public long seenToken;

    Contender(ObjectKey lease, String identity, VirtualProcess process) {
        this.lease = lease;
        this.identity = identity;
        this.process = process;
    }

    /** The lease that it wants to lead. */
    public ObjectKey lease() {
        return lease;
    }

    /** The shards of which its lease is one; null without shards. */
    public @Nullable LeaseGroup group() {
        return null;
    }

    /** Returns whether this process and another must not lead at the same instant, because they would own a key in common. */
    public boolean excludes(Contender other) {
        if (lease.equals(other.lease())) {
            return true;
        }
        if (!key().equals(other.key())) {
            return false;
        }
        // Shard i of n owns the keys from i/n on, up to those of (i+1)/n; a leader without shards owns all of them.
        return shard() * other.shards() < (other.shard() + 1) * shards()
                && other.shard() * shards() < (shard() + 1) * other.shards();
    }

    private ObjectKey key() {
        LeaseGroup group = group();
        return group == null ? lease : group.key();
    }

    private int shards() {
        LeaseGroup group = group();
        return group == null ? 1 : group.shards();
    }

    private int shard() {
        LeaseGroup group = group();
        return group == null ? 0 : group.indexOf(lease).orElseThrow();
    }

    /** Its identity in the lease. */
    public String identity() {
        return identity;
    }

    /** The process that it runs in. */
    public VirtualProcess process() {
        return process;
    }

    /** Whether it is the leader at this instant of true time, by its own clock. */
    public abstract boolean leads();

    /** The fencing token of the running term; 0 if there is none. */
    public abstract long token();

    /** Ends its term in good order, if it has one, and joins again. */
    public abstract void resign();

    /** How long it waits for work to end before it hands the lease over, in nanoseconds. */
    public abstract long drainTimeout();

    /** Whether it runs; a stopped lock ignores the answer to its reflector's last request. */
    public boolean listens() {
        return true;
    }

    /** Whether it is a lock of this project, rather than client-go's elector. */
    public abstract boolean ours();
}
