package io.cle.test.simulation;

import io.cle.lock.Term;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/** A process that can lead, as the checker sees it. */
abstract class Contender {

    private final ObjectKey lease;
    private final String identity;
    private final VirtualProcess process;

    /** The term that the listeners were told has begun, until they are told of its end. */
    @Nullable
    Term granted;

    /** The term whose work runs, from the call that granted it to the end of the work. */
    @Nullable
    Term work;

    /** When the checker first saw that it does not lead any more, by the process's clock; null while it leads. */
    @Nullable
    Long endedAt;

    /** The token of the last term that the checker saw. */
    long seenToken;

    Contender(ObjectKey lease, String identity, VirtualProcess process) {
        this.lease = lease;
        this.identity = identity;
        this.process = process;
    }

    ObjectKey lease() {
        return lease;
    }

    String identity() {
        return identity;
    }

    VirtualProcess process() {
        return process;
    }

    /** Whether it is the leader at this instant of true time, by its own clock. */
    abstract boolean leads();

    /** The fencing token of the running term; 0 if there is none. */
    abstract long token();

    /** For how long at most it waits for work to end before it hands the lease over, in nanoseconds. */
    abstract long drainTimeout();

    /** Whether it is a lock of this project, rather than client-go's elector. */
    abstract boolean ours();
}
