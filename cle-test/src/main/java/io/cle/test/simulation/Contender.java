package io.cle.test.simulation;

import java.util.HashSet;
import java.util.Set;

import io.cle.lock.Term;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/** Somebody who can lead, as an omniscient checker sees it. */
abstract class Contender {

    private final ObjectKey lease;
    private final String identity;
    private final VirtualProcess process;

    /** The term that listeners were told of last, until they are told of its end. */
    @Nullable
    Term granted;

    /** The term whose work runs, from the call that granted it to the end of the work. */
    @Nullable
    Term work;

    /** When it was first seen not to lead any more, by the process's clock; null while it leads. */
    @Nullable
    Long endedAt;

    /** The token of the last term that was seen. */
    long seenToken;

    /** The tokens of the terms that it has come to know of, of anybody's. */
    final Set<Long> seenTerms = new HashSet<>();

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

    /** Whether it takes itself for the leader at this instant of true time, by its own clock. */
    abstract boolean leads();

    /** The fencing token of the running term; 0 when there is none, or it has none. */
    abstract long token();

    /** Who holds the lease, as far as it knows; null when nobody does. */
    abstract @Nullable String knownHolder();

    /** For how long at most it waits for work to end before it hands the lease over, in nanoseconds. */
    abstract long drainTimeout();

    /** Whether it keeps the rules of this project, rather than client-go's. */
    abstract boolean ours();
}
